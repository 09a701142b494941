/**
 * Calendar dates and the instants at which they begin in a time zone.
 *
 * Engines and Node.js have rules of time zones of their own, which can differ, because governments change them. The
 * engine writes and groups all dates, so the rules of the engine apply wherever `setZoneRules` has set them.
 */

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

/** From an instant on, how far the clock of a time zone is ahead of UTC. */
export interface ClockShift {
  /** The instant, in seconds since 1970 (UTC). */
  readonly from: number;
  readonly seconds: number;
}

/** The shifts of a clock in the range of the tables, in order. The first begins at `FIRST_INSTANT`. */
export type ZoneRules = readonly ClockShift[];

const rulesByZone = new Map<string, ZoneRules>();

/** Sets the rules of a time zone for this process, instead of those of Node.js. */
export const setZoneRules = (timeZone: string, rules: ZoneRules): void =>
  void rulesByZone.set(timeZone, rules);

/** Forgets the rules of all time zones. Those of Node.js apply until others are set. */
export const clearZoneRules = (): void => rulesByZone.clear();

/** The same object until the rules of the time zone are changed. */
export function rulesOf(timeZone: string): ZoneRules {
  const known = rulesByZone.get(timeZone);
  if (known !== undefined) return known;
  const rules = [...runtimeRules(timeZone)];
  rulesByZone.set(timeZone, rules);
  return rules;
}

function* runtimeRules(timeZone: string): Generator<ClockShift> {
  const start = Temporal.Instant.fromEpochMilliseconds(FIRST_INSTANT * 1000);
  let at: Temporal.ZonedDateTime | null = start.toZonedDateTimeISO(timeZone);
  for (; at !== null; at = at.getTimeZoneTransition('next')) {
    const from = Math.floor(at.epochMilliseconds / 1000);
    if (from > LAST_INSTANT) return;
    yield { from, seconds: at.offsetNanoseconds / 1e9 };
  }
}

/**
 * In order, the instants at which the clock of a time zone shows this time, and those of all later shifts, which are
 * not exact. So if the clock skips the time, such as 02:30 when it jumps from 02:00 to 03:00, the first instant is that
 * of the jump.
 */
function* instantsOf(
  clock: number,
  timeZone: string,
): Generator<{ readonly at: number; readonly isExact: boolean }> {
  const rules = rulesOf(timeZone);
  for (const [index, { from, seconds }] of rules.entries()) {
    const until = rules[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    const at = index === 0 ? clock - seconds : Math.max(clock - seconds, from);
    if (at < until) yield { at, isExact: at === clock - seconds };
  }
}

/** Seconds from 1970 to a local time `YYYY-MM-DD HH:MM:SS` of a clock that shows UTC. */
const clockSeconds = (local: string): number => Date.parse(`${local.replace(' ', 'T')}Z`) / 1000;

const firstInstantOf = (clock: number, timeZone: string): number => {
  const [first] = instantsOf(clock, timeZone);
  return first?.at ?? clock;
};

/** How far the clock is ahead of UTC at an instant. */
function shiftAt(at: number, timeZone: string): number {
  const rules = rulesOf(timeZone);
  return (rules.findLast(({ from }) => from <= at) ?? rules[0])?.seconds ?? 0;
}

/** The present date on the clock of a time zone. */
export function todayIn(timeZone: string): Temporal.PlainDate {
  const now = Temporal.Now.instant();
  const seconds = shiftAt(now.epochMilliseconds / 1000, timeZone);
  return now.add({ seconds }).toZonedDateTimeISO('UTC').toPlainDate();
}

/**
 * The instant at which a day begins in a time zone, in seconds since 1970 (UTC), clamped to the
 * range of the tables. `daysLater` is added to the date.
 *
 * If the clock skips midnight, the day begins at the first moment that exists.
 */
export function startOfDay(date: string, timeZone: string, daysLater = 0): number {
  const clock = clockSeconds(`${date} 00:00:00`) + daysLater * 86_400;
  return Math.min(Math.max(firstInstantOf(clock, timeZone), FIRST_INSTANT), LAST_INSTANT);
}

/** The number of days of a period, including its first and its last day. */
export const daysIn = (first: string, last: string): number =>
  Temporal.PlainDate.from(first).until(last).days + 1;

/**
 * The instants of a local time `YYYY-MM-DD HH:MM:SS` in a time zone, in seconds since 1970 (UTC).
 *
 * A local time in the hour that is repeated when the clock is turned back has two instants. One that the clock skips
 * has none.
 */
export const secondsOfWallClock = (wallClock: string, timeZone: string): readonly number[] =>
  instantsOf(clockSeconds(wallClock), timeZone)
    .filter(({ isExact }) => isExact)
    .map(({ at }) => at)
    .toArray();

/** The first of these instants or, if the clock skips the local time, the instant at which it does. */
export const firstSecondOfWallClock = (wallClock: string, timeZone: string): number =>
  firstInstantOf(clockSeconds(wallClock), timeZone);

/**
 * The earliest local time `YYYY-MM-DD HH:MM:SS` at an instant or after it. It is before the local time of the
 * instant only if the clock is turned back afterwards.
 */
export function earliestWallClock(at: number, timeZone: string): string {
  const later = rulesOf(timeZone).filter(({ from }) => from > at);
  const clocks = later.map(({ from, seconds }) => from + seconds);
  const earliest = Math.min(at + shiftAt(at, timeZone), ...clocks);
  return new Date(earliest * 1000).toISOString().replace('T', ' ').replace('.000Z', '');
}
