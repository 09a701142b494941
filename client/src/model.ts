/** What is asked and answered, in the names of the API: derived from the OpenAPI document. */

import type { components, operations } from './openapi.ts';

type Schemas = components['schemas'];

export type AdminTransaction = Schemas['AdminTransaction'];
export type AffiliateTransaction = Schemas['AffiliateTransaction'];
export type AdminGroup = Schemas['AdminGroup'];
export type AffiliateGroup = Schemas['AffiliateGroup'];
export type Me = Schemas['Me'];
export type ProblemBody = Schemas['Problem'];
export type ParameterFault = Schemas['ParameterFault'];

/** The codes of problems that this version knows; others may come. */
export type ProblemCode = ProblemBody['code'];

type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** Per role: its records, and the parameters of its operations. */
interface Roles {
  readonly admin: {
    readonly row: AdminTransaction;
    readonly group: AdminGroup;
    readonly list: QueryOf<'adminTransactions'>;
    readonly summary: QueryOf<'adminSummary'>;
  };
  readonly affiliate: {
    readonly row: AffiliateTransaction;
    readonly group: AffiliateGroup;
    readonly list: QueryOf<'affiliateTransactions'>;
    readonly summary: QueryOf<'affiliateSummary'>;
  };
}

export type Role = keyof Roles;

type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : Value;

export type Row<Of extends Role> = Roles[Of]['row'];

export type FieldOf<Of extends Role> = keyof Row<Of>;

/** A row with the fields that were asked for. */
export type ChosenRow<Of extends Role, Field extends FieldOf<Of>> = Pick<Row<Of>, Field>;

/** What may be left out may also be undefined, such as the cursor after a page that may be the last. */
type Given<Shape> = {
  [Name in keyof Shape]: object extends Pick<Shape, Name> ? Shape[Name] | undefined : Shape[Name];
};

type ListParameters<Of extends Role> = Roles[Of]['list'];

/** The parameters of a list, but for those that the client sets itself. */
export type ListQuestion<Of extends Role, Field extends FieldOf<Of> = FieldOf<Of>> = Omit<
  Given<ListParameters<Of>>,
  'fields' | 'limit' | 'cursor' | 'format' | 'csv'
> & { readonly fields?: Field | readonly Field[] | undefined };

export type PageQuestion<Of extends Role, Field extends FieldOf<Of> = FieldOf<Of>> = ListQuestion<
  Of,
  Field
> &
  Required<Pick<ListParameters<Of>, 'limit'>> &
  Pick<Given<ListParameters<Of>>, 'cursor'>;

export type DownloadQuestion<Of extends Role> = Omit<
  Given<ListParameters<Of>>,
  'limit' | 'cursor' | 'format'
> &
  Required<Pick<ListParameters<Of>, 'format'>>;

type SummaryParameters<Of extends Role> = Roles[Of]['summary'];

export type GroupingOf<Of extends Role> = ItemOf<NonNullable<SummaryParameters<Of>['group_by']>>;

export type SummaryQuestion<Of extends Role, Grouping extends GroupingOf<Of>> = Omit<
  Given<SummaryParameters<Of>>,
  'group_by' | 'format' | 'csv'
> & { readonly group_by?: Grouping | readonly Grouping[] | undefined };

type RequiredNames<Shape> = {
  [Name in keyof Shape]-?: object extends Pick<Shape, Name> ? never : Name;
}[keyof Shape];

/** The fields that name a group: a status has its label beside it. */
type NamedBy<Grouping> = Grouping | (Grouping extends 'status' ? 'status_label' : never);

/** A group of a summary, named by the groupings that were asked for. */
export type Group<Of extends Role, Grouping> = Pick<
  Roles[Of]['group'],
  RequiredNames<Roles[Of]['group']>
> &
  Required<Pick<Roles[Of]['group'], NamedBy<Grouping> & keyof Roles[Of]['group']>>;
