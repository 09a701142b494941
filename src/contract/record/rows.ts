/** The TypeScript types of the records, derived from the table of fields. */

import type { FieldLine, FieldType } from './fields.ts';
import type { Role } from './records.ts';
import type { StatusCode } from './statuses.ts';

/** The JSON type of each type of field. */
interface ValueTypes {
  readonly integer: number;
  readonly decimal: number;
  readonly text: string;
  readonly word: string;
  readonly address: string;
  readonly country: string;
  readonly date: string;
  readonly status: StatusCode;
  readonly status_label: string;
}

type ValueOf<Type extends FieldType> = ValueTypes[Type];

type Nullable<Line> = Line extends { required: true } ? never : null;

type AffiliateLine = Extract<FieldLine, { affiliate: number }>;

type AffiliateNameOf<Line extends AffiliateLine> = Line extends {
  affiliateName: infer Name extends string;
}
  ? Name
  : Line['name'];

export type AdminTransaction = {
  readonly [Line in FieldLine as Line['name']]: ValueOf<Line['type']> | Nullable<Line>;
};

export type AffiliateTransaction = {
  readonly [Line in AffiliateLine as AffiliateNameOf<Line>]: ValueOf<Line['type']> | Nullable<Line>;
};

/** One transaction as a role reads it. */
export type Row<Reader extends Role> = Reader extends 'admin'
  ? AdminTransaction
  : AffiliateTransaction;
