/** The records of a summary: the fields that identify a group, and its count, sums and fingerprint. */

import { GROUPINGS, type Grouping, isTimeUnit, TIME_UNITS } from '../query/groupings.ts';
import { namesOfField } from './directory.ts';
import { FIELDS, type Field, type FieldName } from './fields.ts';
import { KINDS } from './kinds.ts';
import { RECORDS, type RecordField, type Role } from './records.ts';
import { schemaOfField } from './schemas.ts';

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
  meaning: 'Changes only when a transaction of the group is added, removed or changed',
};

const FINGERPRINT_PATTERN = '^[0-9a-f]{16}$';

const recordField = (field: Field): RecordField => ({ name: field.name, field });

/** The fields that identify a group. A status also has its label. */
export function groupFields(grouping: Grouping): readonly RecordField[] {
  if (isTimeUnit(grouping))
    return [recordField({ name: grouping, type: 'word', required: true, ...TIME_UNITS[grouping] })];
  if (grouping === 'type')
    return [recordField({ name: 'type', type: 'word', required: true, meaning: 'Kind' })];
  const names = grouping === 'status' ? ['status', 'status_label'] : [grouping];
  return (FIELDS as readonly Field[]).filter(({ name }) => names.includes(name)).map(recordField);
}

/** The field with the name of a group's identifier, if the directory can have one. */
export function nameFields(grouping: Grouping): readonly RecordField[] {
  const found = namesOfField(grouping);
  if (found === undefined) return [];
  const meaning = `${found.meaning}, if names=true; null if the directory has none`;
  return [recordField({ name: found.name, type: 'text', meaning })];
}

/** The role's fields that a summary adds up. */
export const summedFields = (role: Role): readonly RecordField[] =>
  SUMMED_FIELDS.flatMap((summed) => RECORDS[role].filter(({ field }) => field.name === summed));

/** The count, sums and fingerprint of a group, in the order of the record. */
export const measureFields = (role: Role): readonly RecordField[] => [
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
): readonly RecordField[] => [
  ...groupings.flatMap((grouping) => [
    ...groupFields(grouping),
    ...(hasNames ? nameFields(grouping) : []),
  ]),
  ...measureFields(role),
];

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The schema of a record: the chosen groupings, and always the count, sums and fingerprint. */
export function schemaOfSummary(role: Role): Schema {
  const measures = measureFields(role);
  const fields = [
    ...GROUPINGS.flatMap((grouping) => [...groupFields(grouping), ...nameFields(grouping)]),
    ...measures,
  ];
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, field }) => [
        name,
        { ...schemaOfField(field), ...knownConstraints(name) },
      ]),
    ),
    required: measures.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The greatest double below 2^63, because sums can exceed the values of rows. */
const LARGEST_SUM = 2 ** 63 - 1024;

/** Constraints beyond the type of the field. */
function knownConstraints(name: string): Schema {
  if (name === 'total') return { maximum: LARGEST_SUM };
  if (name === FINGERPRINT.name) return { pattern: FINGERPRINT_PATTERN };
  if (name === 'type') return { enum: KINDS };
  const unit = Object.entries(TIME_UNITS).find(([known]) => known === name)?.[1];
  return unit === undefined ? {} : { pattern: unit.pattern };
}
