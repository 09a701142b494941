/** Calendar dates and the instants at which they begin in a time zone. */

import { Temporal } from 'temporal-polyfill';

const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The range of the tables' DateTime, in seconds since 1970 (UTC). */
export const FIRST_INSTANT = 0;
export const LAST_INSTANT = 2 ** 32 - 1;

/** The days of these instants: every transaction has its dates in this period. West of Greenwich, 1970 is still 1969. */
export const FIRST_DAY = '1969-12-31';
export const LAST_DAY = '2106-02-07';

/** Whether the text is a valid date `YYYY-MM-DD` (ISO 8601). */
export function isCalendarDate(text: string): boolean {
  if (!CALENDAR_DATE.test(text)) return false;
  const month = Number(text.slice(5, 7)) - 1;
  const day = Number(text.slice(8));
  // Every request has two dates. Parsing them as a Date takes three times as long, and Temporal far longer.
  const date = new Date(0);
  // A day such as 31 June is moved to July.
  date.setUTCFullYear(Number(text.slice(0, 4)), month, day);
  return date.getUTCMonth() === month && date.getUTCDate() === day;
}

/** The IANA name of a time zone in its official case, which engines require. */
export function timeZoneNamed(text: string): string | undefined {
  // Temporal also accepts offsets such as +02:00.
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    return Temporal.Now.zonedDateTimeISO(text).timeZoneId;
  } catch {
    return undefined;
  }
}

/**
 * The instant at which a day begins in a time zone, in seconds since 1970 (UTC), clamped to the
 * range of the tables. `daysLater` is added to the date.
 *
 * If the clock skips midnight, the day begins at the first moment that exists.
 */
export function startOfDay(date: string, timeZone: string, daysLater = 0): number {
  const start = Temporal.PlainDate.from(date).add({ days: daysLater }).toZonedDateTime(timeZone);
  const seconds = Math.floor(start.epochMilliseconds / 1000);
  return Math.min(Math.max(seconds, FIRST_INSTANT), LAST_INSTANT);
}

/** The number of days of a period, including its first and its last day. */
export const daysIn = (first: string, last: string): number =>
  Temporal.PlainDate.from(first).until(last).days + 1;

/**
 * The instants of a local time `YYYY-MM-DD HH:MM:SS` in a time zone, in seconds since 1970 (UTC).
 *
 * A local time in the hour that is repeated when the clock is turned back has two instants.
 */
export function secondsOfWallClock(wallClock: string, timeZone: string): readonly number[] {
  const shown = Temporal.PlainDateTime.from(wallClock.replace(' ', 'T'));
  const instants = (['earlier', 'later'] as const).map((disambiguation) => {
    const { epochMilliseconds } = shown.toZonedDateTime(timeZone, { disambiguation });
    return Math.floor(epochMilliseconds / 1000);
  });
  return [...new Set(instants)];
}
