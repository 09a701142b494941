/** Time buckets of the chart: the granularities that fit a period, and its buckets. */

import { Temporal } from 'temporal-polyfill';
import { daysIn, overlapOf, type Period } from './periods.ts';

export const GRANULARITIES = ['hour', 'day', 'week', 'month'] as const;

export type Granularity = (typeof GRANULARITIES)[number];

interface Fit {
  /** The lengths of periods, in days, that the granularity is offered for. */
  readonly minDays: number;
  readonly maxDays: number;
  /** The longest period, in days, for which the granularity is the default. */
  readonly maxDaysByDefault: number;
}

/**
 * The periods that each granularity fits. A chart then has from 2 to about 160 buckets, the most that fit a phone.
 * Only the number of months is not limited.
 */
// biome-ignore format: one granularity a line
const FITS: Readonly<Record<Granularity, Fit>> = {
  hour: { minDays: 1, maxDays: 2, maxDaysByDefault: 2 },
  day: { minDays: 2, maxDays: 124, maxDaysByDefault: 62 },
  week: { minDays: 14, maxDays: 1098, maxDaysByDefault: 366 },
  month: { minDays: 60, maxDays: Infinity, maxDaysByDefault: Infinity },
};

export function granularitiesFor(period: Period): readonly Granularity[] {
  const days = daysIn(period);
  return GRANULARITIES.filter((name) => FITS[name].minDays <= days && days <= FITS[name].maxDays);
}

/** The chosen granularity if it fits the period, or else the default one. */
export function granularityOf(period: Period, chosen?: Granularity): Granularity {
  const fitting = granularitiesFor(period);
  if (chosen !== undefined && fitting.includes(chosen)) return chosen;
  const days = daysIn(period);
  return fitting.find((name) => days <= FITS[name].maxDaysByDefault) ?? 'month';
}

export interface Bucket {
  /** The name of the group in responses. */
  readonly name: string;
  /** The days of the bucket that lie in the period. */
  readonly days: Period;
  /** Whether the whole bucket lies in the period. */
  readonly isWhole: boolean;
}

type Day = Temporal.PlainDate;

const STEPS = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } } as const;

/** All time buckets that overlap a period, including empty ones. */
export function bucketsIn(
  period: Period,
  granularity: Granularity,
  timeZone: string,
): readonly Bucket[] {
  const found: Bucket[] = [];
  const unit = granularity === 'hour' ? 'day' : granularity;
  const last = Temporal.PlainDate.from(period.end);
  let start = beginningOf(Temporal.PlainDate.from(period.start), unit);
  for (; Temporal.PlainDate.compare(start, last) <= 0; start = start.add(STEPS[unit])) {
    const end = start.add(STEPS[unit]).subtract({ days: 1 });
    const whole = { start: String(start), end: String(end) };
    const days = overlapOf(whole, period);
    const isWhole = days.start === whole.start && days.end === whole.end;
    if (granularity === 'hour') {
      for (const name of hoursOf(start, timeZone)) found.push({ name, days, isWhole });
    } else found.push({ name: bucketName(start, unit), days, isWhole });
  }
  return found;
}

/** The name of the bucket that contains a day. */
export function bucketName(day: Day, granularity: Exclude<Granularity, 'hour'>): string {
  const start = beginningOf(day, granularity);
  return String(granularity === 'month' ? start.toPlainYearMonth() : start);
}

function beginningOf(day: Day, granularity: Exclude<Granularity, 'hour'>): Day {
  if (granularity === 'month') return day.with({ day: 1 });
  return granularity === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** The hours of a day, without the one that the clock skips in spring. An hour of which half is skipped is kept. */
function hoursOf(day: Day, timeZone: string): readonly string[] {
  const exists = (time: Temporal.PlainDateTime): boolean =>
    time.toZonedDateTime(timeZone).toPlainDateTime().equals(time);
  return HOURS.filter((hour) =>
    [0, 59].some((minute) => exists(day.toPlainDateTime({ hour, minute }))),
  ).map((hour) => `${day} ${String(hour).padStart(2, '0')}:00`);
}
