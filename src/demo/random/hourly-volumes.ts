/** The number of transactions per hour, by hour of the day, weekday and season. */

import { Random } from './random.ts';
import { DAY, HOUR, isSkipped, midnightOf } from './wall-clock.ts';

/** An hour of the period, and its number of transactions. */
export interface HourlyVolume {
  readonly start: number;
  /** How many days it is before the last day. */
  readonly daysBefore: number;
  readonly rows: number;
}

const DAYS_OF_YEAR = 365;

/** Relative activity by hour, from midnight. */
const WORKDAY = [
  ...[0.5, 0.25, 0.14, 0.1, 0.12, 0.2, 0.45, 0.8, 1.05, 1.2, 1.25, 1.25],
  ...[1.45, 1.4, 1.2, 1.15, 1.15, 1.2, 1.3, 1.45, 1.75, 1.85, 1.5, 1.0],
];
const WEEKEND = [
  ...[0.75, 0.45, 0.25, 0.14, 0.12, 0.14, 0.25, 0.5, 0.9, 1.3, 1.5, 1.5],
  ...[1.25, 1.2, 1.3, 1.35, 1.4, 1.45, 1.4, 1.35, 1.55, 1.65, 1.3, 0.9],
];

/** Relative activity by weekday, from Sunday. */
const WEEK = [0.86, 1.1, 1.05, 1.02, 1.0, 0.95, 0.77];

/** Seasonal peaks and dips as bell curves: `lift` is the height, `width` the standard deviation in days. */
const SEASONS = [
  { month: 1, date: 12, width: 9, lift: 0.45 },
  { month: 6, date: 28, width: 9, lift: 0.4 },
  { month: 8, date: 11, width: 13, lift: -0.25 },
  { month: 9, date: 3, width: 7, lift: 0.12 },
  { month: 11, date: 27, width: 4, lift: 1.1 },
  { month: 12, date: 13, width: 6, lift: 0.6 },
  { month: 12, date: 25, width: 1.2, lift: -0.6 },
] as const;

/** Growth of the platform in a year, as a share of the volume at its start. */
const GROWTH = 0.3;

export interface DemoPeriod {
  /** The number of transactions. */
  readonly rows: number;
  readonly days: number;
  /** The last of the days, `YYYY-MM-DD`. Statuses are those at the end of this day. */
  readonly lastDay: string;
}

/** The hours of the days up to `lastDay`, with exactly `rows` transactions in total. */
export function hourlyVolumes({ lastDay, days, rows }: DemoPeriod): readonly HourlyVolume[] {
  const first = midnightOf(lastDay) - (days - 1) * DAY;
  const hours = Array.from({ length: days * 24 }, (_, at) => ({
    start: first + at * HOUR,
    daysBefore: days - 1 - Math.floor(at / 24),
  }));
  const weights = hours.map((hour) => hourWeight(hour.start) * dayWeight(hour));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let weighed = 0;
  let given = 0;
  return hours.map((hour, at) => {
    weighed += weights[at] ?? 0;
    const due = Math.round((weighed / all) * rows) - given;
    given += due;
    return { ...hour, rows: due };
  });
}

function hourWeight(start: number): number {
  if (isSkipped(start)) return 0;
  const date = new Date(start * 1000);
  const hours = date.getUTCDay() % 6 === 0 ? WEEKEND : WORKDAY;
  return hours[date.getUTCHours()] ?? 0;
}

function dayWeight({ start, daysBefore }: Pick<HourlyVolume, 'start' | 'daysBefore'>): number {
  const midnight = start - (start % DAY);
  const weather = new Random(midnight).between(0.94, 1.06);
  const ofWeek = WEEK[new Date(start * 1000).getUTCDay()] ?? 1;
  return (ofWeek * seasonOn(midnight) * weather) / (1 + GROWTH) ** (daysBefore / DAYS_OF_YEAR);
}

function seasonOn(midnight: number): number {
  const year = new Date(midnight * 1000).getUTCFullYear();
  return SEASONS.reduce((season, { month, date, width, lift }) => {
    const apart = Math.abs(midnight - Date.UTC(year, month - 1, date) / 1000) / DAY;
    const distance = Math.min(apart, DAYS_OF_YEAR - apart) / width;
    return season + lift * Math.exp(-(distance ** 2) / 2);
  }, 1);
}
