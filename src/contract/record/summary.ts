/** The records of a summary: the fields that identify a group, and its count, sums and fingerprint. */

import { groupFields, LARGEST_SUM, recordField, schemaOfGroup } from '../groups/group-fields.ts';
import { type Grouping, groupingsOf } from '../query/groupings.ts';
import type { Field, FieldName } from './fields.ts';
import { RECORD_FIELDS, type RecordField, type Role } from './records.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The fields that a summary adds up, in the order of the record. */
export const SUMMED_FIELDS = [
  'total',
  'remu_program',
  'remu_publisher',
  'amount',
] as const satisfies readonly FieldName[];

export const COUNT: Field = {
  name: 'count',
  type: 'integer',
  required: true,
  meaning: 'Number of transactions in the group',
};

/** Clients compare it to find out which groups changed. */
export const FINGERPRINT: Field = {
  name: 'fingerprint',
  type: 'word',
  required: true,
  isPlain: true,
  meaning: 'Changes only when a transaction of the group is added, removed or changed',
};

const FINGERPRINT_PATTERN = '^[0-9a-f]{16}$';

/** The role's fields that a summary adds up. */
export const summedFields = (role: Role): readonly RecordField[] =>
  SUMMED_FIELDS.flatMap((summed) =>
    RECORD_FIELDS[role].filter(({ field }) => field.name === summed),
  );

/** The count, sums and fingerprint of a group, in the order of the record. */
export const totalsFields = (role: Role): readonly RecordField[] => [
  recordField(COUNT),
  ...summedFields(role).map(({ name, field: { type, meaning } }) => ({
    name,
    field: { name, type, required: true as const, meaning: `Sum: ${lowerFirst(meaning)}` },
  })),
  recordField(FINGERPRINT),
];

/** The fields of a summary's records, in order. */
export const summaryFields = (
  role: Role,
  groupings: readonly Grouping[],
  hasNames = false,
): readonly RecordField[] => [...groupFields(groupings, hasNames), ...totalsFields(role)];

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The schema of a record: the chosen groupings, and always the count, sums and fingerprint. */
export const schemaOfSummary = (role: Role): Schema =>
  schemaOfGroup(groupingsOf(role), totalsFields(role), {
    total: { maximum: LARGEST_SUM },
    [FINGERPRINT.name]: { pattern: FINGERPRINT_PATTERN },
  });
