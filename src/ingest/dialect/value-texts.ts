/** SQL that converts numbers and dates of a dialect to the plain texts that are checked. */

import { literal } from '../../plan/sql.ts';
import type { TextColumns } from '../checks/text-columns.ts';
import { STORED_TYPES } from '../files/known-columns.ts';
import { DATE_PATTERNS } from './date-notation.ts';
import type { DateOrder, NumberNotation, ValueDialect } from './dialect.ts';
import { numberPattern, WRONG_POINT } from './number-notation.ts';

/** The plain text of a field; the same text if its type, or that of its column, has no notation. */
export function plainText(
  field: string,
  text: string,
  { numbers, dates, typed = [] }: ValueDialect,
  column: string = field,
): string {
  const type = STORED_TYPES.get(field);
  if (type === 'date') return dates === undefined ? text : plainDateSql(text, dates);
  if (numbers === undefined || typed.includes(column)) return text;
  if (type === 'decimal') return plainNumberSql(text, numbers);
  return type === 'integer' ? plainNumberSql(text, WHOLE) : text;
}

const WHOLE: NumberNotation = { decimal: undefined, currency: undefined };

/** The plain texts of columns that are named like fields. */
export const plainColumns = (columns: TextColumns, dialect: ValueDialect): TextColumns =>
  new Map([...columns].map(([name, text]) => [name, plainText(name, text, dialect)]));

/** SQL for a plain number. A text that is no number in the notation is kept, so that fault messages can show it. */
export function plainNumberSql(text: string, notation: NumberNotation): string {
  const { decimal } = notation;
  const others = decimal === undefined ? '[^0-9-]+' : `[^0-9${decimal}-]+`;
  const digits = `replaceRegexpAll(${text}, ${literal(others)}, '')`;
  const number = decimal === ',' ? `replaceOne(${digits}, ',', '.')` : digits;
  const isNumber = `match(${text}, ${literal(numberPattern(notation))})`;
  // If the file has no decimal points, the point in `12.34` may be meant to group digits. The text is marked,
  // so that it fails the checks. Numbers of NDJSON are marked already.
  const other =
    decimal === '.' ? text : `if(match(${text}, '^-?[0-9]+[.][^(]*$'), ${marked(text)}, ${text})`;
  return `if(${isNumber}, ${number}, ${other})`;
}

const marked = (text: string): string => `concat(${text}, ${literal(WRONG_POINT)})`;

/**
 * SQL that converts a text to a plain date. A text in another notation stays as it is, so that reports can show it.
 * A date that does not exist, such as 31/02/2026, is converted too, and fails the checks.
 *
 * The expression is short, because the engine plans one for each date of a file, in half a millisecond a function.
 */
export function plainDateSql(text: string, order: DateOrder): string {
  const yearFirst = { groups: groupsOf(text, 'YYYY-MM-DD'), date: dateOf([1, 2, 3]) };
  const { groups, date } =
    order === 'YYYY-MM-DD'
      ? yearFirst
      : {
          groups: `if(match(${text}, '^[0-9]{4}'), ${yearFirst.groups}, ${groupsOf(text, order)})`,
          date: `if(length(part[1]) = 4, ${yearFirst.date}, ${dateOf(YEAR_LAST[order])})`,
        };
  // The lambda gives the groups the name `part`, which is empty if the text is no date.
  return `arrayMap(part -> if(empty(part), ${text}, concat(${date}, ${TIME})), [${groups}])[1]`;
}

/** The groups with the year, the month and the day. */
type DateGroups = readonly [year: number, month: number, day: number];

const YEAR_LAST = {
  'DD/MM/YYYY': [3, 2, 1],
  'MM/DD/YYYY': [3, 1, 2],
} as const satisfies Record<Exclude<DateOrder, 'YYYY-MM-DD'>, DateGroups>;

const groupsOf = (text: string, order: DateOrder): string =>
  `extractGroups(${text}, ${literal(DATE_PATTERNS[order])})`;

/** Two digits of a group; `00` for a group that the text lacks. */
const twoDigits = (text: string): string => `leftPad(${text}, 2, '0')`;

const dateOf = ([year, month, day]: DateGroups): string =>
  `concat(part[${year}], '-', ${twoDigits(`part[${month}]`)}, '-', ${twoDigits(`part[${day}]`)})`;

/** The hour of a clock with 12 hours. */
const HOUR_OF_12 = "toString(toUInt8OrZero(part[4]) % 12 + if(lower(part[8]) = 'p', 12, 0))";

const HOUR = twoDigits(`if(empty(part[8]), part[4], ${HOUR_OF_12})`);

/** The fraction is kept, so that the checks decide on it. Only dates with the year first have a UTC offset. */
const TIME = `concat(' ', ${HOUR}, ':', ${twoDigits('part[5]')}, ':', ${twoDigits('part[6]')}, replaceOne(part[7], ',', '.'), part[9])`;
