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
import { nameFieldOf } from '../../contract/record/directory.ts';
import { FIELD_NAMED } from '../../contract/record/fields.ts';
import type { NamedKey } from '../directory/directory-names.ts';
import type { Selection } from '../list-plan.ts';
import { applicableValue } from '../rendering/json-rendering.ts';
import { bind, join, literal, raw, type Sql, sql } from '../sql.ts';

/** A grouping, with an alias for its key. No column has the name of the alias. */
export interface GroupKey {
  readonly key: string;
  readonly grouping: Grouping;
  /** The GROUP BY expression. Rows that look the same in a list belong to one group. */
  readonly expression: Sql;
  /** The expression that converts the key to the value in the record. */
  readonly shown: string;
}

/** What the keys of groups depend on besides the rows. */
export type GroupKeyInputs = Pick<Selection, 'dateField'> & {
  /** The earliest time of creation for each age except the oldest, in seconds since 1970 (UTC). */
  readonly ageLimits: readonly number[];
  /** Only for the former period. It is added to dates, so that both periods have the same keys. */
  readonly shift?: Shift;
};

export const groupKeysOf = (
  groupings: readonly Grouping[],
  inputs: GroupKeyInputs,
): readonly GroupKey[] =>
  groupings.map((grouping, at) => {
    const key = `key_${at + 1}`;
    const expression = keyOf(grouping, inputs);
    return { key, grouping, expression, shown: shownKey(grouping, key) };
  });

/** The keys, each with its alias. */
export const keyColumns = (keys: readonly GroupKey[]): readonly Sql[] =>
  keys.map(({ key, expression }) => sql`${expression} AS ${raw(key)}`);

/** The keys that have names in the directory. */
export const namedKeysOf = (keys: readonly GroupKey[]): readonly NamedKey[] =>
  keys.flatMap(({ key, grouping }) => {
    const names = nameFieldOf(grouping);
    return names === undefined ? [] : [{ key, of: names.of, name: names.name }];
  });

function keyOf(grouping: Grouping, { dateField, ageLimits, shift }: GroupKeyInputs): Sql {
  if (isTimeUnit(grouping)) {
    const date = `assumeNotNull(${dateField})`;
    return shift === undefined ? unitKey(grouping, raw(date)) : shiftedKey(grouping, date, shift);
  }
  if (isGroupingField(grouping)) return raw(fieldKey(grouping));
  return grouping === 'type' ? raw(grouping) : ageKey(ageLimits);
}

/** The age as its position in the list of ages, from 1. */
function ageKey(limits: readonly number[]): Sql {
  const younger = limits.map(
    (limit, at) =>
      sql`created_at >= toDateTime(${bind('UInt32', limit)}), ${raw(String(at + 1))}, `,
  );
  return sql`multiIf(${join(younger, '')}${raw(String(limits.length + 1))})`;
}

const ADDING = { days: 'addDays', months: 'addMonths' } as const;

/**
 * Shifts the date, at least to the first day of the present period, and keeps the hour, so that clock changes do not
 * matter. Uses `Date32`, because `Date` begins with 1970, and west of Greenwich the earliest instants have dates of 1969.
 */
function shiftedKey(unit: TimeUnit, date: string, { unit: by, count, first }: Shift): Sql {
  const added = raw(`${ADDING[by]}(toDate32(${date}), ${count})`);
  const shifted = sql`greatest(${added}, toDate32(${bind('String', first)}))`;
  return unit === 'hour'
    ? sql`concat(toString(${shifted}), formatDateTime(${raw(date)}, ' %H:00'))`
    : unitKey(unit, shifted);
}

/** Uses `Date32` for the same reason: the first days, weeks and months begin in 1969. */
function unitKey(unit: TimeUnit, date: Sql): Sql {
  switch (unit) {
    case 'hour':
      return sql`formatDateTime(${date}, '%F %H:00')`;
    case 'day':
      return sql`toDate32(${date})`;
    case 'week':
      return sql`toDate32(${date}) - (toDayOfWeek(${date}) - 1)`;
    case 'month':
      return sql`toDate32(${date}) - (toDayOfMonth(${date}) - 1)`;
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

/** How many characters of a key are shown. Keys are `YYYY-MM-DD`, or `YYYY-MM-DD HH:00` for hours. */
const SHOWN_LENGTHS: { readonly [unit in TimeUnit]: number } = {
  hour: 16,
  day: 10,
  week: 10,
  month: 7,
};
