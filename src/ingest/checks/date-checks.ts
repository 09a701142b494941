/**
 * Checks and converts dates in files: `YYYY-MM-DD HH:MM:SS` in the platform's time zone, or ISO 8601.
 *
 * The engine silently changes dates that do not exist, so each date is formatted again and compared.
 */

import { FIRST_INSTANT, LAST_INSTANT } from '../../contract/query/calendar.ts';
import type { CheckOptions, ValueCheck } from './check.ts';
import { convertedText } from './text-columns.ts';

/** The last allowed instant. No list would have rows of LAST_INSTANT, because every period ends before it. */
const LAST_LISTED = LAST_INSTANT - 1;

/** A fraction of a second. The engine takes a date with twenty or more digits for 1970. */
const FRACTION = '([.][0-9]{1,9})';

/** All UTC offsets in use are at most 14 hours. */
const OFFSET = '(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])';
const FORM = `^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}${FRACTION}?${OFFSET}?$`;

/** The date and time as written, without fraction and offset. */
const wallClock = (column: string): string =>
  `concat(substring(${column}, 1, 10), ' ', substring(${column}, 12, 8))`;

const hasOffset = (column: string): string => `match(${column}, '${OFFSET}$')`;

const survives = (column: string, timeZone: string): string =>
  `ifNull(formatDateTime(toDateTimeOrNull(${wallClock(column)}, '${timeZone}'), '%F %T', '${timeZone}') = ${wallClock(column)}, 0)`;

/** Whether the local date is an instant that the tables can store, whatever its time zone. */
const isWithinTables = (column: string): string =>
  `${wallClock(column)} BETWEEN '1970-01-02' AND '2106-02-06'`;

const offsetSeconds = (column: string): string =>
  `if(endsWith(${column}, 'Z'), 0, if(substring(${column}, -6, 1) = '-', -60, 60) * (60 * toInt32OrZero(substring(${column}, -5, 2)) + toInt32OrZero(substring(${column}, -2))))`;

/** The instant of a date with an offset, in seconds since 1970 (UTC). */
const instantOf = (column: string): string =>
  `(toInt64(toUnixTimestamp(toDateTimeOrZero(${wallClock(column)}, 'UTC'))) - ${offsetSeconds(column)})`;

const ON_CLOCK = `^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}${FRACTION}?$`;

/** SQL for the fraction of a second with its point; empty if there is none. */
const fraction = (column: string): string => `extract(${column}, '${FRACTION}')`;

/**
 * Converts a date without an offset from a time zone to UTC.
 *
 * A date that does not exist in that zone gets the zone's name appended, so that it fails the checks.
 */
export const dateInTimeZone = (written: string, timeZone: string): string =>
  convertedText(written, (text) => {
    const instant = `toDateTimeOrZero(${wallClock(text)}, '${timeZone}')`;
    const shifted = `concat(formatDateTime(${instant}, '%FT%T', 'UTC'), ${fraction(text)}, 'Z')`;
    return `if(match(${text}, '${ON_CLOCK}'), if(${survives(text, timeZone)}, ${shifted}, concat(${text}, ' ${timeZone}')), ${text})`;
  });

/** The instant of a date that passed the checks, without its fraction of a second. */
export const dateValue = (column: string, timeZone: string): string =>
  `parseDateTimeBestEffortOrZero(${column}, '${timeZone}')`;

export function dateFaults(
  column: string,
  { timeZone, round }: Pick<CheckOptions, 'timeZone' | 'round'>,
): readonly ValueCheck[] {
  const isOutside = `if(${hasOffset(column)},
  ${instantOf(column)} NOT BETWEEN ${FIRST_INSTANT} AND ${LAST_LISTED},
  NOT ${isWithinTables(column)} AND (NOT ${survives(column, timeZone)} OR toUnixTimestamp(toDateTimeOrZero(${wallClock(column)}, '${timeZone}')) > ${LAST_LISTED}))`;
  return [
    {
      reason: 'not_a_date',
      condition: `(NOT match(${column}, '${FORM}') OR NOT ${survives(column, 'UTC')} OR ${isOutside})`,
    },
    ...(round
      ? []
      : [
          {
            reason: 'has_fraction' as const,
            condition: `match(${column}, '${FORM}') AND match(${fraction(column)}, '[1-9]')`,
          },
        ]),
    {
      reason: 'skipped_by_the_clock',
      condition: `NOT ${hasOffset(column)} AND ${survives(column, 'UTC')} AND ${isWithinTables(column)} AND NOT ${survives(column, timeZone)}`,
    },
  ];
}
