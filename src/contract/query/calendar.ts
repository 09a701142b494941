/** Calendar dates and the instants at which they begin in a time zone. */

import { Temporal } from 'temporal-polyfill';

const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The first and the last instant that the tables can hold, in seconds since 1970 (UTC). */
export const FIRST_INSTANT = 0;
export const LAST_INSTANT = 2 ** 32 - 1;

/** Whether the text is `YYYY-MM-DD` and names a day that exists (ISO 8601). */
export function isCalendarDate(text: string): boolean {
  if (!CALENDAR_DATE.test(text)) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}

/** The time zone of the IANA database that the text names, as the database writes it: engines know it by no other case. */
export function timeZoneNamed(text: string): string | undefined {
  // Offsets such as +02:00 pass as time zones, but are none of the database's names.
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    return Temporal.Now.zonedDateTimeISO(text).timeZoneId;
  } catch {
    return undefined;
  }
}

/**
 * The instant at which a day, or the day so many days after it, begins in a time zone.
 *
 * Seconds since 1970 (UTC), held within what the tables can store. A day whose midnight the clock
 * skips begins at the first moment that exists.
 */
export function startOfDay(date: string, timeZone: string, daysLater = 0): number {
  const start = Temporal.PlainDate.from(date).add({ days: daysLater }).toZonedDateTime(timeZone);
  const seconds = Math.floor(start.epochMilliseconds / 1000);
  return Math.min(Math.max(seconds, FIRST_INSTANT), LAST_INSTANT);
}

/**
 * The instants that a clock in a time zone shows as `YYYY-MM-DD HH:MM:SS`, in seconds since 1970.
 *
 * One, but two in the hour that is repeated when the clock is turned back.
 */
export function instantsOf(wallClock: string, timeZone: string): readonly number[] {
  const shown = Temporal.PlainDateTime.from(wallClock.replace(' ', 'T'));
  const instants = (['earlier', 'later'] as const).map((disambiguation) => {
    const { epochMilliseconds } = shown.toZonedDateTime(timeZone, { disambiguation });
    return Math.floor(epochMilliseconds / 1000);
  });
  return [...new Set(instants)];
}
