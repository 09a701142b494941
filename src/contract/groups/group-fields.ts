/** The fields that identify a group of a summary or of performance, and the schema of such a record. */

import { AGES, type Grouping, isTimeUnit, TIME_UNITS } from '../query/groupings.ts';
import { nameFieldOf } from '../record/directory.ts';
import { FIELDS, type Field } from '../record/fields.ts';
import { KINDS } from '../record/kinds.ts';
import type { RecordField } from '../record/records.ts';
import { schemaOfField } from '../record/schemas.ts';

type Schema = Readonly<Record<string, unknown>>;

export const recordField = (field: Field): RecordField => ({ name: field.name, field });

/** The fields that identify a group, each identifier with its name if names are requested. */
export const groupFields = (
  groupings: readonly Grouping[],
  hasNames: boolean,
): readonly RecordField[] =>
  groupings.flatMap((grouping) => [
    ...keyFields(grouping),
    ...(hasNames ? nameFields(grouping) : []),
  ]);

const AGE_MEANING = "Days from the creation until today, on the platform's clock";

/** The fields of one grouping. A status also has its label. */
function keyFields(grouping: Grouping): readonly RecordField[] {
  if (isTimeUnit(grouping)) return [plainWord(grouping, TIME_UNITS[grouping].meaning)];
  if (grouping === 'type') return [plainWord('type', 'Type of the transactions')];
  if (grouping === 'age') return [plainWord('age', AGE_MEANING)];
  const names = grouping === 'status' ? ['status', 'status_label'] : [grouping];
  return (FIELDS as readonly Field[]).filter(({ name }) => names.includes(name)).map(ofEveryKind);
}

const plainWord = (name: Grouping, meaning: string): RecordField =>
  recordField({ name, type: 'word', required: true, isPlain: true, meaning });

/** Drops `kinds`, because a group can have transactions of any kind. For kinds without the field, it is null. */
function ofEveryKind({ kinds: _, ...field }: Field): RecordField {
  return recordField(field);
}

/** The field with the name from the directory, such as `program_name`. Empty if the grouping has no names. */
function nameFields(grouping: Grouping): readonly RecordField[] {
  const found = nameFieldOf(grouping);
  if (found === undefined) return [];
  const meaning = `${found.meaning}, if names=true; null if the directory has none`;
  return [recordField({ name: found.name, type: 'text', meaning })];
}

/**
 * The maximum of sums in schemas: the greatest double that a signed 64-bit integer can hold. Sums can exceed
 * the maximum of a single value.
 */
export const LARGEST_SUM = 2 ** 63 - 1024;

/**
 * The schema of a group's record. Only the measures are required: the groupings and the `optional` fields
 * depend on parameters. `constraints` adds to the schemas of some fields.
 */
export function schemaOfGroup(
  groupings: readonly Grouping[],
  measures: readonly RecordField[],
  constraints: Readonly<Record<string, Schema>>,
  optional: readonly RecordField[] = [],
): Schema {
  const fields = [...groupFields(groupings, true), ...measures, ...optional];
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, field }) => [
        name,
        { ...schemaOfField(field), ...keyConstraints(name), ...constraints[name] },
      ]),
    ),
    required: measures.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Constraints of the fields that identify a group, beyond their types. */
function keyConstraints(name: string): Schema {
  if (name === 'type') return { enum: KINDS };
  if (name === 'age') return { enum: AGES.map((age) => age.name) };
  const unit = Object.entries(TIME_UNITS).find(([known]) => known === name)?.[1];
  return unit === undefined ? {} : { pattern: unit.pattern };
}
