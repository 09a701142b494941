/** Types of parameters, records and groups, derived from the OpenAPI document. */

import type { components, operations } from './openapi.ts';

type Schemas = components['schemas'];

/** A record without the fields that only the parameter `fields` adds. */
type Usual<Record> = Pick<Record, RequiredNames<Record>>;

export type AdminTransaction = Usual<Schemas['AdminTransaction']>;
export type AffiliateTransaction = Usual<Schemas['AffiliateTransaction']>;
export type AdminGroup = Schemas['AdminGroup'];
export type AffiliateGroup = Schemas['AffiliateGroup'];
export type AdminPerformance = Schemas['AdminPerformance'];
export type AffiliatePerformance = Schemas['AffiliatePerformance'];
export type Program = Schemas['Program'];
export type Publisher = Schemas['Publisher'];
export type Me = Schemas['Me'];
export type ManagedToken = Schemas['ManagedToken'];
export type NewManagedToken = Schemas['NewManagedToken'];
export type RevokedToken = Schemas['RevokedToken'];
export type ManagedWebhook = Schemas['ManagedWebhook'];
export type WebhookWithSecret = Schemas['WebhookWithSecret'];
export type WebhookTest = Schemas['WebhookTest'];
export type RemovedWebhook = Schemas['RemovedWebhook'];
export type NewSignInLink = Schemas['NewSignInLink'];
export type SignIn = Schemas['SignIn'];
export type ProblemBody = Schemas['Problem'];
export type ParameterFault = Schemas['ParameterFault'];

/** The problem codes that this version knows. A newer service may send others. */
export type ProblemCode = ProblemBody['code'];

type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** The records of each role and the parameters of its operations. */
interface Roles {
  readonly admin: {
    readonly row: AdminTransaction;
    readonly fields: Schemas['AdminTransaction'];
    readonly group: AdminGroup;
    readonly list: QueryOf<'adminTransactions'>;
    readonly change: Schemas['AdminChange'];
    readonly changes: QueryOf<'adminChanges'>;
    readonly performance: AdminPerformance;
    readonly summary: QueryOf<'adminSummary'>;
    readonly performanceQuery: QueryOf<'adminPerformance'>;
  };
  readonly affiliate: {
    readonly row: AffiliateTransaction;
    readonly fields: Schemas['AffiliateTransaction'];
    readonly group: AffiliateGroup;
    readonly list: QueryOf<'affiliateTransactions'>;
    readonly change: Schemas['AffiliateChange'];
    readonly changes: QueryOf<'affiliateChanges'>;
    readonly performance: AffiliatePerformance;
    readonly summary: QueryOf<'affiliateSummary'>;
    readonly performanceQuery: QueryOf<'affiliatePerformance'>;
  };
}

export type Role = keyof Roles;

type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : Value;

export type Row<Of extends Role> = Roles[Of]['row'];

/** The types of transactions. */
export type KindOf<Of extends Role> = Roles[Of]['list']['type'];

/** A change of a transaction. */
export type Change<Of extends Role> = Roles[Of]['change'];

/** The parameters of the change feed, without those that the client sets itself. */
export type ChangesParameters<Of extends Role> = Omit<
  Given<Roles[Of]['changes']>,
  'id_lists' | 'wait' | 'format'
>;

/** The fields that can be requested. */
export type FieldOf<Of extends Role> = keyof Roles[Of]['fields'];

/** The fields of a row, unless `fields` chooses others. */
export type UsualFieldOf<Of extends Role> = keyof Row<Of> & FieldOf<Of>;

/** A row with the requested fields. */
export type ChosenRow<Of extends Role, Field extends FieldOf<Of>> = Required<
  Pick<Roles[Of]['fields'], Field>
>;

/** Optional properties may also be undefined, such as the cursor after the last page. */
type Given<Shape> = {
  [Name in keyof Shape]: object extends Pick<Shape, Name> ? Shape[Name] | undefined : Shape[Name];
};

type AllListParameters<Of extends Role> = Roles[Of]['list'];

/** The parameters of a list, without those that the client sets itself. */
export type ListParameters<Of extends Role, Field extends FieldOf<Of> = UsualFieldOf<Of>> = Omit<
  Given<AllListParameters<Of>>,
  'fields' | 'id_lists' | 'limit' | 'offset' | 'cursor' | 'format' | 'csv'
> & { readonly fields?: Field | readonly Field[] | undefined };

/** Parameters without `sort`, because only pages can be sorted by a field. */
export type Unsorted<Shape> = Omit<Shape, 'sort'> & { readonly sort?: undefined };

export type PageParameters<
  Of extends Role,
  Field extends FieldOf<Of> = UsualFieldOf<Of>,
> = ListParameters<Of, Field> &
  Required<Pick<AllListParameters<Of>, 'limit'>> &
  Pick<Given<AllListParameters<Of>>, 'offset' | 'cursor'>;

type Format<Of extends Role> = NonNullable<AllListParameters<Of>['format']>;

type DownloadIn<Of extends Role, In extends Format<Of>> = Omit<
  Given<AllListParameters<Of>>,
  'id_lists' | 'limit' | 'offset' | 'cursor' | 'format'
> & { readonly format: In };

/** Only NDJSON and CSV accept `sort`, because only they are read in pages. */
export type DownloadParameters<Of extends Role> =
  | Unsorted<DownloadIn<Of, Format<Of>>>
  | DownloadIn<Of, 'ndjson' | 'csv'>;

type AllSummaryParameters<Of extends Role> = Roles[Of]['summary'];

export type GroupingOf<Of extends Role> = ItemOf<NonNullable<AllSummaryParameters<Of>['group_by']>>;

export type SummaryParameters<Of extends Role, Grouping extends GroupingOf<Of>> = Omit<
  Given<AllSummaryParameters<Of>>,
  'group_by' | 'format' | 'csv'
> & { readonly group_by?: Grouping | readonly Grouping[] | undefined };

type RequiredNames<Shape> = {
  [Name in keyof Shape]-?: object extends Pick<Shape, Name> ? never : Name;
}[keyof Shape];

/** The fields that identify a group. A group by status has the label too. */
type NamedBy<Grouping> = Grouping | (Grouping extends 'status' ? 'status_label' : never);

/** The field with the name for an identifier: `program_name` for `program_id`. Only the parameter `names` adds it. */
type NameOf<Grouping> = Grouping extends `${infer Thing}_id` ? `${Thing}_name` : never;

/** The rights, language, name and lifetime of a new access token. */
export type NewTokenParameters = Given<QueryOf<'createToken'>>;

/** Where a new webhook delivers, and what. */
export type NewWebhookParameters = Given<QueryOf<'addWebhook'>>;

/** A group: what it always has, and the fields of the requested groupings. */
type GroupBy<Record, Grouping> = Pick<Record, RequiredNames<Record>> &
  Required<Pick<Record, NamedBy<Grouping> & keyof Record>> &
  Partial<Pick<Record, (NameOf<Grouping> | `former_${string}`) & keyof Record>>;

/** A group of a summary, with the fields of the requested groupings. */
export type Group<Of extends Role, Grouping> = GroupBy<Roles[Of]['group'], Grouping>;

type AllPerformanceParameters<Of extends Role> = Roles[Of]['performanceQuery'];

export type PerformanceGroupingOf<Of extends Role> = ItemOf<
  NonNullable<AllPerformanceParameters<Of>['group_by']>
>;

export type PerformanceParameters<
  Of extends Role,
  Grouping extends PerformanceGroupingOf<Of>,
> = Omit<Given<AllPerformanceParameters<Of>>, 'group_by' | 'id_lists' | 'format' | 'csv'> & {
  readonly group_by?: Grouping | readonly Grouping[] | undefined;
};

/** A record of performance, with the fields of the requested groupings. */
export type PerformanceRecord<Of extends Role, Grouping> = GroupBy<
  Roles[Of]['performance'],
  Grouping
>;
