/** Conversion between calendar dates as text and the `Date` objects of the calendar library. */

import { Temporal } from 'temporal-polyfill';
import type { Period } from '../../query/periods.ts';

/** Noon of `YYYY-MM-DD` on the browser's clock, because no change to summer time moves noon to another day. */
export const toDate = (day: string): Date => new Date(`${day}T12:00`);

export const dayText = (date: Date): string =>
  Temporal.PlainDate.from({
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
  }).toString();

/** The first and the last day of the month of a day, or of the month `monthsLater` after it. */
export function monthOf(day: string, monthsLater = 0): Period {
  const start = Temporal.PlainDate.from(day).with({ day: 1 }).add({ months: monthsLater });
  return { start: String(start), end: String(start.with({ day: start.daysInMonth })) };
}

interface MonthLimits {
  /** The first and the last day that can be chosen. */
  readonly earliest: string;
  readonly latest: string;
  /** How many months fit beside each other in the calendar. */
  readonly count: number;
}

/** The months that the calendar shows. The first is that of `day`, or the nearest one within the limits. */
export function shownMonths(
  day: string,
  { earliest, latest, count }: MonthLimits,
): readonly [Period, ...Period[]] {
  const wanted = monthOf(day).start;
  const [notAfter = wanted] = [wanted, monthOf(latest, 1 - count).start].sort();
  const [, allowed = notAfter] = [notAfter, earliest].sort();
  const first = monthOf(allowed);
  const others = Array.from({ length: count - 1 }, (_, place) => monthOf(first.start, place + 1));
  return [first, ...others.filter(({ start }) => start <= latest)];
}
