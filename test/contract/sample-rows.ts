/** A row of each role that has a value in every field. */

import type { FieldType } from '../../src/contract/record/fields.ts';
import { RECORD_FIELDS, type Role } from '../../src/contract/record/records.ts';

const VALUES: { readonly [type in FieldType]: string | number } = {
  integer: Number.MAX_SAFE_INTEGER,
  decimal: 0.000001,
  text: 's "1"',
  word: 'basket',
  address: '2001:db8::1',
  country: 'FR',
  date: '2026-01-02 03:04:05',
  status: '1',
  status_label: 'Validé',
};

export const sampleRow = (role: Role): Readonly<Record<string, string | number>> =>
  Object.fromEntries(RECORD_FIELDS[role].map(({ name, field }) => [name, VALUES[field.type]]));
