/** The records of a summary: what names a group, and what is measured of its transactions. */

import { GROUPINGS, type Grouping, isTimeUnit, TIME_UNITS } from '../query/groupings.ts';
import { FIELDS, type Field, type FieldName } from './fields.ts';
import { KINDS } from './kinds.ts';
import { RECORDS, type RecordField, type Role } from './records.ts';
import { schemaOfField } from './schemas.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The fields that are added up, in the order of the record; each for those who see it. */
export const SUMMED_FIELDS = [
  'total',
  'remu_program',
  'remu_publisher',
  'amount',
] as const satisfies readonly FieldName[];

/** How many transactions a group has. */
export const COUNT: Field = {
  name: 'count',
  type: 'integer',
  required: true,
  meaning: 'How many transactions the group has',
};

/** What tells two states of a group apart. */
export const FINGERPRINT: Field = {
  name: 'fingerprint',
  type: 'word',
  required: true,
  meaning:
    'Changes when a transaction of the group is added, removed or changed, and for no other reason',
};

const FINGERPRINT_PATTERN = '^[0-9a-f]{16}$';

const recordField = (field: Field): RecordField => ({ name: field.name, field });

/** The fields that name a group: a status has its label beside it. */
export function groupFields(grouping: Grouping): readonly RecordField[] {
  if (isTimeUnit(grouping))
    return [recordField({ name: grouping, type: 'word', required: true, ...TIME_UNITS[grouping] })];
  if (grouping === 'type')
    return [recordField({ name: 'type', type: 'word', required: true, meaning: 'Kind' })];
  const names = grouping === 'status' ? ['status', 'status_label'] : [grouping];
  return (FIELDS as readonly Field[]).filter(({ name }) => names.includes(name)).map(recordField);
}

/** The audience's fields that are added up: a sum is a number always. */
export const summedFields = (role: Role): readonly RecordField[] =>
  SUMMED_FIELDS.flatMap((summed) => RECORDS[role].filter(({ field }) => field.name === summed));

/** What is measured of a group, in the order of the record. */
export const measureFields = (role: Role): readonly RecordField[] => [
  recordField(COUNT),
  ...summedFields(role).map(({ name, field: { type, meaning } }) => ({
    name,
    field: { name, type, required: true as const, meaning: `Sum: ${lowerFirst(meaning)}` },
  })),
  recordField(FINGERPRINT),
];

/** The fields of a summary's records, in their order. */
export const summaryFields = (
  role: Role,
  groupings: readonly Grouping[],
): readonly RecordField[] => [...groupings.flatMap(groupFields), ...measureFields(role)];

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The schema of one record: of the groupings those that the question names, and every measure. */
export function schemaOfSummary(role: Role): Schema {
  const measures = measureFields(role);
  const fields = [...GROUPINGS.flatMap(groupFields), ...measures];
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

/** The last number before 2^63: sums grow beyond what one row may hold. */
const LARGEST_SUM = 2 ** 63 - 1024;

/** What is known beyond the type of the field. */
function knownConstraints(name: string): Schema {
  if (name === 'total') return { maximum: LARGEST_SUM };
  if (name === FINGERPRINT.name) return { pattern: FINGERPRINT_PATTERN };
  if (name === 'type') return { enum: KINDS };
  const unit = Object.entries(TIME_UNITS).find(([known]) => known === name)?.[1];
  return unit === undefined ? {} : { pattern: unit.pattern };
}
