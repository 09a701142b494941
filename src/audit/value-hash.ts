/** Keyed hash of a value that may be personal, so that the audit log can be searched for it without holding it. */

import { createHmac } from 'node:crypto';
import type { FilteredField } from '../contract/query/filters/filters.ts';

/** The hash of the value of a field. Equal values of different fields have different hashes. */
export type HashValue = (field: string, value: string) => string;

/** Characters of base64url: 132 bits. */
const LENGTH = 22;

export const valueHasher =
  (key: Buffer): HashValue =>
  (field, value) =>
    createHmac('sha256', key).update(`${field}\n${value}`).digest('base64url').slice(0, LENGTH);

/** Fields that name no person and hold no secrets. */
const SHOWN_FIELDS: ReadonlySet<FilteredField> = new Set([
  'program_id',
  'publisher_id',
  'status',
  'country',
]);

/** A value of a filter as the audit log keeps it: hashed, unless the field may be shown. */
export const auditedValue = (field: FilteredField, value: string, hash: HashValue): string =>
  SHOWN_FIELDS.has(field) ? value : hash(field, value);
