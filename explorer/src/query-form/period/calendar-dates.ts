/** Conversion between calendar dates as text and the `Date` objects of the calendar library. */

import { Temporal } from 'temporal-polyfill';

/** `YYYY-MM-DD` as noon on the browser's clock, which no change to summer time moves to another day. */
export const toDate = (day: string): Date => new Date(`${day}T12:00`);

export const toDay = (date: Date): string =>
  Temporal.PlainDate.from({
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
  }).toString();

/** The first and the last day of the month of a day. */
export function monthOf(day: string, monthsLater = 0) {
  const start = Temporal.PlainDate.from(day).with({ day: 1 }).add({ months: monthsLater });
  return { start: String(start), end: String(start.with({ day: start.daysInMonth })) };
}
