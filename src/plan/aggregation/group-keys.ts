/** SQL expressions of the groupings of summaries and performance. */

import { assertNever } from '../../contract/assert-never.ts';
import {
  type Grouping,
  type GroupingField,
  isTimeUnit,
  type TimeUnit,
} from '../../contract/query/groupings.ts';
import type { DateField } from '../../contract/query/parameters.ts';
import { namesOfField } from '../../contract/record/directory.ts';
import { FIELD_NAMED } from '../../contract/record/fields.ts';
import type { NamedKey } from '../directory/directory-names.ts';
import { applicableValue } from '../rendering.ts';

/** A grouping and the alias of its key, which no column has. */
export interface GroupKey {
  readonly key: string;
  readonly grouping: Grouping;
  /** The GROUP BY expression. Rows that look the same in a list belong to one group. */
  readonly expression: string;
  /** The expression of the key as the record has it. */
  readonly shown: string;
}

export const groupKeysOf = (
  groupings: readonly Grouping[],
  dateField: DateField,
): readonly GroupKey[] =>
  groupings.map((grouping, at) => {
    const key = `key_${at + 1}`;
    const expression = keyOf(grouping, dateField);
    return { key, grouping, expression, shown: shownKey(grouping, key) };
  });

/** The keys that the directory names. */
export const namedKeysOf = (keys: readonly GroupKey[]): readonly NamedKey[] =>
  keys.flatMap(({ key, grouping }) => {
    const names = namesOfField(grouping);
    return names === undefined ? [] : [{ key, of: names.of, name: names.name }];
  });

function keyOf(grouping: Grouping, dateField: DateField): string {
  if (isTimeUnit(grouping)) return unitKey(grouping, `assumeNotNull(${dateField})`);
  return grouping === 'type' ? grouping : fieldKey(grouping);
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
  return grouping === 'type' ? `toString(${key})` : key;
}

/** How much of the key, `YYYY-MM-DD` or `YYYY-MM-DD HH:00`, names the unit. */
const SHOWN_LENGTHS: { readonly [unit in TimeUnit]: number } = {
  hour: 16,
  day: 10,
  week: 10,
  month: 7,
};
