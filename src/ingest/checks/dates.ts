/**
 * Dates of files: `YYYY-MM-DD HH:MM:SS` on the platform's clock, or ISO 8601 with an offset.
 *
 * The engine accepts dates that do not exist and moves them, so each is written back and compared.
 */

import { FIRST_INSTANT, LAST_INSTANT } from '../../contract/query/calendar.ts';
import type { ValueCheck } from './check.ts';

/** The offsets that are in use lie within 14 hours of UTC. */
const OFFSET = '(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])';
const FORM = `^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}([.]0+)?${OFFSET}?$`;

/** The date and time as they are written, without fraction and offset. */
const wallClock = (column: string): string =>
  `concat(substring(${column}, 1, 10), ' ', substring(${column}, 12, 8))`;

const hasOffset = (column: string): string => `match(${column}, '${OFFSET}$')`;

const survives = (column: string, timeZone: string): string =>
  `ifNull(formatDateTime(toDateTimeOrNull(${wallClock(column)}, '${timeZone}'), '%F %T', '${timeZone}') = ${wallClock(column)}, 0)`;

/** Whether every time zone's clock can show the date at an instant that the tables can hold. */
const isWithinTables = (column: string): string =>
  `${wallClock(column)} BETWEEN '1970-01-02' AND '2106-02-06'`;

const offsetSeconds = (column: string): string =>
  `if(endsWith(${column}, 'Z'), 0, if(substring(${column}, -6, 1) = '-', -60, 60) * (60 * toInt32OrZero(substring(${column}, -5, 2)) + toInt32OrZero(substring(${column}, -2))))`;

/** The instant of a date with an offset, in seconds since 1970 (UTC). */
const instantOf = (column: string): string =>
  `(toInt64(toUnixTimestamp(toDateTimeOrZero(${wallClock(column)}, 'UTC'))) - ${offsetSeconds(column)})`;

const ON_CLOCK = '^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}([.]0+)?$';

/**
 * A date without an offset, which stands on the clock of that time zone, as one in UTC.
 *
 * One that this clock never showed is left with the zone behind it, which is no date.
 */
export function dateOnClock(text: string, timeZone: string): string {
  const instant = `toDateTimeOrZero(${wallClock(text)}, '${timeZone}')`;
  const shifted = `concat(formatDateTime(${instant}, '%FT%T', 'UTC'), 'Z')`;
  return `if(match(${text}, '${ON_CLOCK}'), if(${survives(text, timeZone)}, ${shifted}, concat(${text}, ' ${timeZone}')), ${text})`;
}

/** The instant of a date that passed the checks. */
export function dateValue(column: string, timeZone: string): string {
  const local = `toDateTimeOrZero(${wallClock(column)}, '${timeZone}')`;
  return `if(${hasOffset(column)}, toDateTime(${instantOf(column)}, '${timeZone}'), ${local})`;
}

export function dateFaults(column: string, timeZone: string): readonly ValueCheck[] {
  const isOutside = `if(${hasOffset(column)},
  ${instantOf(column)} NOT BETWEEN ${FIRST_INSTANT} AND ${LAST_INSTANT},
  NOT ${isWithinTables(column)} AND NOT ${survives(column, timeZone)})`;
  return [
    {
      reason: 'not_a_date',
      condition: `(NOT match(${column}, '${FORM}') OR NOT ${survives(column, 'UTC')} OR ${isOutside})`,
    },
    {
      reason: 'skipped_by_the_clock',
      condition: `NOT ${hasOffset(column)} AND ${survives(column, 'UTC')} AND ${isWithinTables(column)} AND NOT ${survives(column, timeZone)}`,
    },
  ];
}
