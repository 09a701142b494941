/**
 * Dates of files: `YYYY-MM-DD HH:MM:SS` on the platform's clock, or ISO 8601 with an offset.
 *
 * The engine accepts dates that do not exist and moves them, so each is written back and compared.
 */

import type { Check } from './checks.ts';

const FORM =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}([.]0+)?(Z|[+-][0-9]{2}:[0-9]{2})?$';

/** The date and time as they are written, without fraction and offset. */
const wallClock = (column: string): string =>
  `concat(substring(${column}, 1, 10), ' ', substring(${column}, 12, 8))`;

const hasOffset = (column: string): string => `match(${column}, '(Z|[+-][0-9]{2}:[0-9]{2})$')`;

const survives = (column: string, timeZone: string): string =>
  `ifNull(formatDateTime(toDateTimeOrNull(${wallClock(column)}, '${timeZone}'), '%F %T', '${timeZone}') = ${wallClock(column)}, 0)`;

/** The instant of a date that passed the checks. */
export function dateValue(column: string, timeZone: string): string {
  const local = `toDateTimeOrZero(${wallClock(column)}, '${timeZone}')`;
  return `if(${hasOffset(column)}, parseDateTimeBestEffortOrZero(${column}, '${timeZone}'), ${local})`;
}

export function dateFaults(column: string, timeZone: string): readonly Omit<Check, 'column'>[] {
  return [
    {
      reason: 'not_a_date',
      condition: `(NOT match(${column}, '${FORM}') OR NOT ${survives(column, 'UTC')})`,
    },
    {
      reason: 'skipped_by_the_clock',
      condition: `NOT ${hasOffset(column)} AND ${survives(column, 'UTC')} AND NOT ${survives(column, timeZone)}`,
    },
  ];
}
