/** Named and custom periods. */

import { Temporal } from 'temporal-polyfill';
import { FIRST_DAY, isCalendarDate, LAST_DAY } from '../../../src/contract/query/calendar.ts';

export interface Period {
  /** `YYYY-MM-DD`, both inclusive. */
  readonly start: string;
  readonly end: string;
}

/** The day of a time such as `2026-03-01 14:00:00`. */
export const dayOf = (time: string): string => time.slice(0, FIRST_DAY.length);

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
  'last-90-days': (today: Day) => [today.subtract({ days: 89 }), today],
  'this-month': (today: Day) => [today.with({ day: 1 }), today],
  'last-month': (today: Day) => {
    const first = today.with({ day: 1 }).subtract({ months: 1 });
    return [first, first.with({ day: first.daysInMonth })];
  },
  'this-year': (today: Day) => [today.with({ month: 1, day: 1 }), today],
  'last-year': (today: Day) => {
    const first = today.with({ month: 1, day: 1 }).subtract({ years: 1 });
    return [first, first.with({ month: 12, day: 31 })];
  },
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

/** The days that two periods share. */
export const overlapOf = (inner: Period, outer: Period): Period => {
  const [, start = outer.start] = [inner.start, outer.start].sort();
  const [end = outer.end] = [inner.end, outer.end].sort();
  return { start, end };
};
