/** Periods by name, on the platform's calendar. */

import { Temporal } from 'temporal-polyfill';
import { isCalendarDate } from '../../../src/contract/query/calendar.ts';

export interface Period {
  /** `YYYY-MM-DD`, both included. */
  readonly start: string;
  readonly end: string;
}

/** The days that an instant of the service may be on, in any time zone. */
export const FIRST_DAY = '1970-01-01';
export const LAST_DAY = '2106-02-07';

export const isInBounds = (day: string): boolean =>
  isCalendarDate(day) && FIRST_DAY <= day && day <= LAST_DAY;

/** A period that can be asked for and drawn, of two days as they were written. */
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

const toEndOfMonth = (day: Day): Day => day.with({ day: day.daysInMonth });

/** What a period by name is compared with, where that is the calendar's own unit before it. */
// biome-ignore format: one period a line
const DAYS_BEFORE: { readonly [Name in Preset]?: (start: Day, end: Day) => readonly [Day, Day] } = {
  'this-month': (start, end) => [start.subtract({ months: 1 }), end.subtract({ months: 1 })],
  'last-month': (start, end) => [start.subtract({ months: 1 }), toEndOfMonth(end.subtract({ months: 1 }))],
  'this-year': (start, end) => [start.subtract({ years: 1 }), end.subtract({ years: 1 })],
};

/** The days that those of a period are compared with: as many right before, where it has no name that says otherwise. */
export function periodBefore(days: Period, asked: Preset | Period = days): Period {
  const first = Temporal.PlainDate.from(days.start);
  const named = typeof asked === 'string' ? DAYS_BEFORE[asked] : undefined;
  const [start, end] = named?.(first, Temporal.PlainDate.from(days.end)) ?? [
    first.subtract({ days: daysIn(days) }),
    first.subtract({ days: 1 }),
  ];
  return { start: String(start), end: String(end) };
}

export type Stretch = 'day' | 'week' | 'month';

const MOST_DAYS = 62;
const MOST_DAYS_OF_WEEKS = 366;

/** What a chart of the period has one bar for. */
export function stretchOf(period: Period): Stretch {
  const days = daysIn(period);
  if (days <= MOST_DAYS) return 'day';
  return days <= MOST_DAYS_OF_WEEKS ? 'week' : 'month';
}

const STEPS = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } } as const;

/** The first days of all stretches of a period, also of those in which nothing happened. */
export function stretchesIn({ start, end }: Period, stretch: Stretch): readonly Period[] {
  const last = Temporal.PlainDate.from(end);
  const first = Temporal.PlainDate.from(start);
  const found: Period[] = [];
  for (
    let day = beginningOf(first, stretch);
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add(STEPS[stretch])
  ) {
    const until = day.add(STEPS[stretch]).subtract({ days: 1 });
    found.push({ start: String(day), end: String(until) });
  }
  return found;
}

function beginningOf(day: Day, stretch: Stretch): Day {
  if (stretch === 'month') return day.with({ day: 1 });
  return stretch === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day;
}

/** The part of one period that is within another. */
export const within = (inner: Period, outer: Period): Period => {
  const [, start = outer.start] = [inner.start, outer.start].sort();
  const [end = outer.end] = [inner.end, outer.end].sort();
  return { start, end };
};
