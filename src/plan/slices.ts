/**
 * Cuts a long period into consecutive slices that are read one after the other.
 *
 * The tables are kept by month, and a statement opens all months of its period at once: ten years
 * in one would cost a gigabyte and make the reader wait. The first slice is short, so that the
 * answer begins at once, but holds any 31 days, which are asked for most.
 */

import { LAST_INSTANT } from '../contract/query/calendar.ts';
import type { ReportPlan } from './report-plan.ts';

/** The months that the first statement reads. */
const FIRST_MONTHS = 2;

/** The most months that one statement reads. */
const MOST_MONTHS = 12;

/** Instants as {@link ReportPlan} has them. */
export type Period = Pick<ReportPlan, 'from' | 'until'>;

/**
 * The plan's slices in its order; together they are the plan.
 *
 * They are cut where there is data. The outermost ones reach to the ends of the plan all the same:
 * what is imported meanwhile may lie beyond the data of before, and is seen whole or not at all.
 */
export function slicesOf(plan: ReportPlan, data: Period = plan): readonly ReportPlan[] {
  const inner = within(plan, data);
  return [...cutSlices(inner)].map(({ from, until }) => ({
    ...plan,
    from: from === inner.from ? plan.from : from,
    until: until === inner.until ? plan.until : until,
  }));
}

function* cutSlices(plan: ReportPlan): Generator<Period> {
  let { from, until } = plan;
  for (let months = FIRST_MONTHS; from < until; months = Math.min(months * 2, MOST_MONTHS)) {
    if (plan.order === 'asc') {
      const cut = Math.min(monthsAfter(from, months), until);
      yield { from, until: cut };
      from = cut;
    } else {
      const cut = Math.max(monthsAfter(until - 1, 1 - months), from);
      yield { from: cut, until };
      until = cut;
    }
  }
}

/** Seconds of the first window. */
const FIRST_WINDOW = 86_400;

/** The plan's period in its order, in windows each twice as long as the one before: a page seldom needs many. */
export function* windowsOf(plan: ReportPlan): Generator<ReportPlan> {
  let { from, until } = plan;
  for (let length = FIRST_WINDOW; from < until; length *= 2) {
    if (plan.order === 'asc') {
      const cut = Math.min(from + length, until);
      yield { ...plan, from, until: cut };
      from = cut;
    } else {
      const cut = Math.max(until - length, from);
      yield { ...plan, from: cut, until };
      until = cut;
    }
  }
}

/** Records of an hour that begins at an instant, in seconds since 1970 (UTC). */
export interface Hour {
  readonly hour: number;
  readonly records: number;
}

/** The most records that one statement sorts, unless a single hour has more. */
const MOST_SORTED = 100_000;

/** The plan's slices in its order, each of few enough records to be sorted; `hours` are all that have any. */
export function sortedSlices(plan: ReportPlan, hours: readonly Hour[]): readonly ReportPlan[] {
  const slices: ReportPlan[] = [];
  let { from } = plan;
  let records = 0;
  for (const next of hours) {
    if (records > 0 && records + next.records > MOST_SORTED) {
      const cut = Math.max(next.hour, from);
      slices.push({ ...plan, from, until: cut });
      from = cut;
      records = 0;
    }
    records += next.records;
  }
  if (records > 0) slices.push({ ...plan, from });
  return plan.order === 'asc' ? slices : slices.reverse();
}

/** Whether the plan's period is so long that it is worth asking where the data begins and ends. */
export const isLong = ({ from, until }: ReportPlan): boolean =>
  monthsAfter(from, MOST_MONTHS) < until;

const within = (plan: ReportPlan, { from, until }: Period): ReportPlan => ({
  ...plan,
  from: Math.max(plan.from, from),
  until: Math.min(plan.until, until),
});

/** The beginning of the month that is so many months after an instant (UTC), or the last instant. */
export function monthsAfter(instant: number, months: number): number {
  const date = new Date(instant * 1000);
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months) / 1000;
  return Math.min(month, LAST_INSTANT);
}
