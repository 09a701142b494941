/** The record of each role: its fields, their names and their order. */

import { FIELDS, type Field } from './fields.ts';

export const ROLES = ['admin', 'affiliate'] as const;

/** The role of a token. It selects the endpoint, the table and the record. */
export type Role = (typeof ROLES)[number];

export interface RecordField {
  /** The name in the record. */
  readonly name: string;
  readonly field: Field;
}

const positionOf = (field: Field): number => field.affiliate ?? 0;

const AFFILIATE_FIELDS = (FIELDS as readonly Field[])
  .filter((field) => field.affiliate !== undefined)
  .sort((one, other) => positionOf(one) - positionOf(other))
  .map((field) => ({ name: field.affiliateName ?? field.name, field }));

/** The fields of each role's record, in order. */
export const RECORD_FIELDS: { readonly [role in Role]: readonly RecordField[] } = {
  admin: FIELDS.map((field) => ({ name: field.name, field })),
  affiliate: AFFILIATE_FIELDS,
};

/** The names of a role's fields, in the order of its record. */
export const fieldNamesOf = (role: Role): readonly string[] =>
  RECORD_FIELDS[role].map(({ name }) => name);
