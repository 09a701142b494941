/** The statement of a summary, whose rows are the bytes of the response. */

import { assertNever } from '../contract/assert-never.ts';
import {
  type Grouping,
  type GroupingField,
  isTimeUnit,
  type TimeUnit,
} from '../contract/query/groupings.ts';
import type { DateField } from '../contract/query/parameters.ts';
import { namesOfField } from '../contract/record/directory.ts';
import { appliesTo, FIELD_NAMED, type Field } from '../contract/record/fields.ts';
import type { Kind } from '../contract/record/kinds.ts';
import { COUNT, FINGERPRINT, summedFields } from '../contract/record/summary.ts';
import { type NamedKey, withNames } from './directory/directory-names.ts';
import { selectionPredicate } from './predicates.ts';
import { applicableValue } from './rendering.ts';
import { recordPieces } from './report-statement.ts';
import { RECORD_HASH, summaryTable } from './report-table.ts';
import { join, raw, type Statement, sql, statementOf } from './sql.ts';
import type { SummaryPlan } from './summary-plan.ts';

/**
 * Reads the groups, sorted by their keys, nulls last.
 *
 * The innermost query aggregates under aliases that no column has, because an alias would hide a
 * column from WHERE. The next one renames them to the fields of the record, which the outer query
 * renders.
 */
export function summaryStatement(plan: SummaryPlan): Statement {
  const { role, groupings, kinds, dateField, hasNames } = plan;
  const table = summaryTable(plan);
  const keys = groupings.map((grouping, at) => ({
    key: `key_${at + 1}`,
    grouping,
    expression: keyOf(grouping, dateField),
  }));
  const namedKeys = keys.flatMap(({ key, grouping }): readonly NamedKey[] => {
    const names = namesOfField(grouping);
    return names === undefined ? [] : [{ key, of: names.of, name: names.name }];
  });
  const sums = summedFields(role).map(({ name, field }) => ({
    name,
    sum: `sum_of_${name}`,
    expression: sumOf(name, field, kinds),
  }));
  const inner = [
    ...keys.map(({ key, expression }) => `${expression} AS ${key}`),
    'count() AS rows_counted',
    ...sums.map(({ sum, expression }) => `${expression} AS ${sum}`),
    `sum(${RECORD_HASH}) AS hashes_added, groupBitXor(${RECORD_HASH}) AS hashes_crossed`,
  ];
  const named = [
    ...keys.map(({ key, grouping }) => `${key}, ${shownKey(grouping, key)} AS ${grouping}`),
    ...(hasNames ? namedKeys.map(({ name }) => name) : []),
    `rows_counted AS ${COUNT.name}`,
    ...sums.map(({ name, sum }) => `${sum} AS ${name}`),
    `${FINGERPRINT_OF_HASHES} AS ${FINGERPRINT.name}`,
  ];
  const order = keys.map(({ key }) => key).join(', ');
  const groups = sql`(SELECT ${raw(inner.join(', '))}
FROM ${raw(table)} FINAL
WHERE ${selectionPredicate(plan, kinds, table)}${raw(order && `\nGROUP BY ${order}`)})`;
  return Object.freeze({
    ...statementOf(sql`SELECT ${join(recordPieces(plan), ', ')}
FROM (SELECT ${raw(named.join(', '))}
FROM ${hasNames ? withNames(groups, namedKeys) : groups})${raw(order && `\nORDER BY ${order}`)}`),
    isAggregation: true,
  });
}

/** The GROUP BY expression. Rows that look the same in a list belong to one group. */
function keyOf(grouping: Grouping, dateField: DateField): string {
  if (isTimeUnit(grouping)) return firstDayOf(grouping, `assumeNotNull(${dateField})`);
  return grouping === 'type' ? grouping : fieldKey(grouping);
}

function firstDayOf(unit: TimeUnit, date: string): string {
  switch (unit) {
    case 'day':
      return `toDate(${date})`;
    case 'week':
      // The engine's Date begins with 1970, after the Monday of the first week.
      return `toDate32(${date}) - (toDayOfWeek(${date}) - 1)`;
    case 'month':
      return `toStartOfMonth(${date})`;
    default:
      return assertNever(unit);
  }
}

function fieldKey(name: GroupingField): string {
  const { type } = FIELD_NAMED[name];
  switch (type) {
    case 'integer':
    case 'status':
      return name;
    case 'text':
    case 'word':
    case 'country':
      return `toValidUTF8(${name})`;
    default:
      return assertNever(type);
  }
}

/** The expression of a key as the record has it. */
function shownKey(grouping: Grouping, key: string): string {
  if (isTimeUnit(grouping)) return `substring(toString(${key}), 1, ${SHOWN_LENGTHS[grouping]})`;
  return grouping === 'type' ? `toString(${key})` : key;
}

/** How much of the first day, `YYYY-MM-DD`, names the unit. */
const SHOWN_LENGTHS: { readonly [unit in TimeUnit]: number } = { day: 10, week: 10, month: 7 };

/** Ignores rows whose kind does not have the field. If no kind has it, the column is not read. */
function sumOf(column: string, field: Field, kinds: readonly Kind[]): string {
  const applicableKinds = kinds.filter((kind) => appliesTo(field, kind));
  if (applicableKinds.length === 0) return 'toUInt64(0)';
  const value = applicableKinds.length === kinds.length ? column : applicableValue(field, column);
  // 128 bits cannot overflow.
  return field.type === 'integer'
    ? `ifNull(sum(toUInt128(${value})), 0)`
    : `ifNull(sum(${value}), 0)`;
}

/** Sum and XOR do not depend on the order of the rows or on how they are partitioned. */
const FINGERPRINT_OF_HASHES =
  "leftPad(lower(hex(sipHash64(concat(toString(hashes_added), ' ', toString(hashes_crossed))))), 16, '0')";
