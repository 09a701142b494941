/** Named and custom periods, and the time buckets of charts. */

import { Temporal } from 'temporal-polyfill';
import { isCalendarDate } from '../../../src/contract/query/calendar.ts';

export interface Period {
  /** `YYYY-MM-DD`, both inclusive. */
  readonly start: string;
  readonly end: string;
}

/** The days of the service's earliest and latest instant, in any time zone. */
export const FIRST_DAY = '1970-01-01';
export const LAST_DAY = '2106-02-07';

export const isInBounds = (day: string): boolean =>
  isCalendarDate(day) && FIRST_DAY <= day && day <= LAST_DAY;

/** The period from two dates as text; undefined if the service would refuse it. */
export function periodFrom(start: string, end: string): Period | undefined {
  return isInBounds(start) && isInBounds(end) && start <= end ? { start, end } : undefined;
}

type Day = Temporal.PlainDate;

// biome-ignore format: one period a line
const DAYS = {
  'today': (today: Day) => [today, today],
  'yesterday': (today: Day) => [today.subtract({ days: 1 }), today.subtract({ days: 1 })],
  'last-7-days': (today: Day) => [today.subtract({ days: 6 }), today],
  'last-30-days': (today: Day) => [today.subtract({ days: 29 }), today],
  'this-month': (today: Day) => [today.with({ day: 1 }), today],
  'last-month': (today: Day) => {
    const first = today.with({ day: 1 }).subtract({ months: 1 });
    return [first, first.with({ day: first.daysInMonth })];
  },
  'this-year': (today: Day) => [today.with({ month: 1, day: 1 }), today],
} as const satisfies Record<string, (today: Day) => readonly [Day, Day]>;

export type Preset = keyof typeof DAYS;

export const PRESETS = Object.keys(DAYS) as readonly Preset[];

export const isPreset = (text: string): text is Preset => Object.hasOwn(DAYS, text);

export function periodOf(preset: Preset, timeZone: string, now = Temporal.Now.instant()): Period {
  const [start, end] = DAYS[preset](now.toZonedDateTimeISO(timeZone).toPlainDate());
  return { start: String(start), end: String(end) };
}

export const daysIn = ({ start, end }: Period): number =>
  Temporal.PlainDate.from(start).until(end).days + 1;

export type Granularity = 'day' | 'week' | 'month';

const MAX_DAYS_BY_DAY = 62;
const MAX_DAYS_BY_WEEK = 366;

/** The size of the chart's time buckets, by the length of the period. */
export function granularityOf(period: Period): Granularity {
  const days = daysIn(period);
  if (days <= MAX_DAYS_BY_DAY) return 'day';
  return days <= MAX_DAYS_BY_WEEK ? 'week' : 'month';
}

const STEPS = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } } as const;

/** All time buckets that overlap a period, including empty ones. */
export function bucketsIn({ start, end }: Period, granularity: Granularity): readonly Period[] {
  const last = Temporal.PlainDate.from(end);
  const first = Temporal.PlainDate.from(start);
  const found: Period[] = [];
  for (
    let day = beginningOf(first, granularity);
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add(STEPS[granularity])
  ) {
    const until = day.add(STEPS[granularity]).subtract({ days: 1 });
    found.push({ start: String(day), end: String(until) });
  }
  return found;
}

function beginningOf(day: Day, granularity: Granularity): Day {
  if (granularity === 'month') return day.with({ day: 1 });
  return granularity === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day;
}

/** The days that two periods share. */
export const overlapOf = (inner: Period, outer: Period): Period => {
  const [, start = outer.start] = [inner.start, outer.start].sort();
  const [end = outer.end] = [inner.end, outer.end].sort();
  return { start, end };
};
