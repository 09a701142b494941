/**
 * Cuts a long period into consecutive slices, one statement each.
 *
 * The tables are partitioned by month, and a statement opens all months of its period at once: ten
 * years would take a gigabyte and delay the first byte. The first slice is short, so that the
 * response begins at once. It is long enough for any month and nearly any 31 days, the most frequent periods.
 */

import * as v from 'valibot';
import { LAST_INSTANT } from '../contract/query/calendar.ts';
import type { ListPlan } from './list-plan.ts';
import { INTEGER } from './select.ts';

/** The number of months of the first slice. */
const FIRST_MONTHS = 2;

/** The maximum number of months of a slice. */
const MAX_MONTHS = 12;

/** A half-open period, as in {@link ListPlan}. */
export type Period = Pick<ListPlan, 'from' | 'until'>;

/**
 * The slices of a plan, in its order.
 *
 * Only the range with data is cut. The outer slices extend to the ends of the plan, because an
 * import during the download may add rows outside that range. For the same reason, a plan
 * without data is one slice.
 */
export function slicesOf(plan: ListPlan, data: Period = plan): readonly ListPlan[] {
  const inner = within(plan, data);
  if (inner.from >= inner.until) return plan.from < plan.until ? [plan] : [];
  return [...cutSlices(inner)].map(({ from, until }) => ({
    ...plan,
    from: from === inner.from ? plan.from : from,
    until: until === inner.until ? plan.until : until,
  }));
}

function* cutSlices(plan: ListPlan): Generator<Period> {
  let { from, until } = plan;
  for (let months = FIRST_MONTHS; from < until; months = Math.min(months * 2, MAX_MONTHS)) {
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

/** Seconds. */
const FIRST_WINDOW = 86_400;

/** Windows of the plan's period, in its order, each twice as long as the one before. A page seldom needs many. */
export function* windowsOf(plan: ListPlan): Generator<ListPlan> {
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

/** The number of records of one hour. `hour` is its beginning in seconds since 1970 (UTC). */
export const HOUR_ROW = v.object({ hour: INTEGER, records: INTEGER });

export type HourCount = v.InferOutput<typeof HOUR_ROW>;

/** The maximum number of records that a statement sorts, unless one hour has more. */
const MAX_SORTED = 100_000;

/**
 * Cuts a plan into slices that are small enough to sort, in the order of the plan. `hours` are the hours that
 * have records, the earliest first.
 */
export function sortedSlices(plan: ListPlan, hours: readonly HourCount[]): readonly ListPlan[] {
  const slices: ListPlan[] = [];
  let { from } = plan;
  let records = 0;
  for (const next of hours) {
    if (records > 0 && records + next.records > MAX_SORTED) {
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

/** Whether the period is so long that it pays to query the range with data first. */
export const isLong = ({ from, until }: ListPlan): boolean => monthsAfter(from, MAX_MONTHS) < until;

const within = (plan: ListPlan, { from, until }: Period): ListPlan => ({
  ...plan,
  from: Math.max(plan.from, from),
  until: Math.min(plan.until, until),
});

/** The beginning of the month that is `months` after the month of an instant (UTC), at most the last instant. */
export function monthsAfter(instant: number, months: number): number {
  const date = new Date(instant * 1000);
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months) / 1000;
  return Math.min(month, LAST_INSTANT);
}
