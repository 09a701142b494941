/** SQL expressions of the groupings of summaries and performance. */

import { assertNever } from '../../contract/assert-never.ts';
import type { Shift } from '../../contract/query/compared-period.ts';
import {
  AGES,
  type Grouping,
  type GroupingField,
  isGroupingField,
  isTimeUnit,
  type TimeUnit,
} from '../../contract/query/groupings.ts';
import { namesOfField } from '../../contract/record/directory.ts';
import { FIELD_NAMED } from '../../contract/record/fields.ts';
import type { NamedKey } from '../directory/directory-names.ts';
import { applicableValue } from '../rendering.ts';
import type { Selection } from '../report-plan.ts';
import { bind, join, literal, raw, type Sql, sql } from '../sql.ts';

/** A grouping and the alias of its key, which no column has. */
export interface GroupKey {
  readonly key: string;
  readonly grouping: Grouping;
  /** The GROUP BY expression. Rows that look the same in a list belong to one group. */
  readonly expression: Sql;
  /** The expression of the key as the record has it. */
  readonly shown: string;
}

/** What groupings depend on besides the rows. */
export type GroupedSelection = Pick<Selection, 'dateField'> & {
  /** The instants from which on a transaction has each age but the last, in seconds since 1970 (UTC). */
  readonly ageLimits: readonly number[];
  /** How much later the units of time are shown than they are. */
  readonly shift?: Shift;
};

export const groupKeysOf = (
  groupings: readonly Grouping[],
  selection: GroupedSelection,
): readonly GroupKey[] =>
  groupings.map((grouping, at) => {
    const key = `key_${at + 1}`;
    const expression = keyOf(grouping, selection);
    return { key, grouping, expression, shown: shownKey(grouping, key) };
  });

/** The keys, each with its alias. */
export const keyColumns = (keys: readonly GroupKey[]): readonly Sql[] =>
  keys.map(({ key, expression }) => sql`${expression} AS ${raw(key)}`);

/** The keys that the directory names. */
export const namedKeysOf = (keys: readonly GroupKey[]): readonly NamedKey[] =>
  keys.flatMap(({ key, grouping }) => {
    const names = namesOfField(grouping);
    return names === undefined ? [] : [{ key, of: names.of, name: names.name }];
  });

function keyOf(grouping: Grouping, { dateField, ageLimits, shift }: GroupedSelection): Sql {
  if (isTimeUnit(grouping)) {
    const date = `assumeNotNull(${dateField})`;
    return raw(shift === undefined ? unitKey(grouping, date) : shiftedKey(grouping, date, shift));
  }
  if (isGroupingField(grouping)) return raw(fieldKey(grouping));
  return grouping === 'type' ? raw(grouping) : ageKey(ageLimits);
}

/** The position of the age among all ages. */
function ageKey(limits: readonly number[]): Sql {
  const younger = limits.map(
    (limit, at) =>
      sql`created_at >= toDateTime(${bind('UInt32', limit)}), ${raw(String(at + 1))}, `,
  );
  return sql`multiIf(${join(younger, '')}${raw(String(limits.length + 1))})`;
}

const ADDING = { days: 'addDays', months: 'addMonths' } as const;

/**
 * The date is shifted and the hour is kept, so that clock changes do not matter. The engine's Date
 * begins with 1970, which is later than the first rows in time zones west of Greenwich.
 */
function shiftedKey(unit: TimeUnit, date: string, { unit: by, count }: Shift): string {
  const shifted = `${ADDING[by]}(toDate32(${date}), ${count})`;
  return unit === 'hour'
    ? `concat(toString(${shifted}), formatDateTime(${date}, ' %H:00'))`
    : unitKey(unit, shifted);
}

function unitKey(unit: TimeUnit, date: string): string {
  switch (unit) {
    case 'hour':
      return `formatDateTime(${date}, '%F %H:00')`;
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
  const field = FIELD_NAMED[name];
  const { type } = field;
  switch (type) {
    case 'integer':
    case 'status':
      return applicableValue(field, name);
    case 'text':
    case 'word':
    case 'country':
      return applicableValue(field, `toValidUTF8(${name})`);
    default:
      return assertNever(type);
  }
}

function shownKey(grouping: Grouping, key: string): string {
  if (isTimeUnit(grouping)) return `substring(toString(${key}), 1, ${SHOWN_LENGTHS[grouping]})`;
  if (grouping === 'age')
    return `arrayElement([${AGES.map(({ name }) => literal(name)).join(', ')}], ${key})`;
  return grouping === 'type' ? `toString(${key})` : key;
}

/** How much of the key, `YYYY-MM-DD` or `YYYY-MM-DD HH:00`, names the unit. */
const SHOWN_LENGTHS: { readonly [unit in TimeUnit]: number } = {
  hour: 16,
  day: 10,
  week: 10,
  month: 7,
};
