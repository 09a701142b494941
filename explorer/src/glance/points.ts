/** The bars of the chart: one a stretch of time, whose parts are the statuses. */

import { STATUSES, type Status } from '../../../src/contract/labels.ts';
import { STATUS_ORDER } from '../ask/status-filter.tsx';
import { type Period, type Stretch, stretchesIn } from '../periods.ts';
import type { Values } from '../question.ts';
import { type Measure, valueIn } from './measures.ts';

export interface Point {
  /** Whole days, also beyond the period that is asked about. */
  readonly days: Period;
  readonly total: number;
  /** In the order in which they are stacked. */
  readonly parts: readonly { readonly status: Status; readonly value: number }[];
}

const MONTH = 7;

export function pointsOf(
  groups: readonly Values[],
  period: Period,
  stretch: Stretch,
  measure: Measure,
): readonly Point[] {
  const values = new Map(
    groups.map((group) => [`${group[stretch]} ${group.status}`, valueIn(group, measure)]),
  );
  return stretchesIn(period, stretch).map((days) => {
    const key = stretch === 'month' ? days.start.slice(0, MONTH) : days.start;
    const parts = STATUS_ORDER.map((status) => ({
      status,
      value: values.get(`${key} ${status}`) ?? 0,
    }));
    return { days, parts, total: parts.reduce((sum, { value }) => sum + value, 0) };
  });
}

/** Round numbers from 0 to above the largest one, for the lines behind the bars. */
export function scaleOf(largest: number): readonly number[] {
  if (largest <= 0) return [0, 1];
  const wanted = largest / STATUSES.length;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= wanted) ?? wanted;
  const lines = Math.ceil(largest / step);
  return Array.from({ length: lines + 1 }, (_, at) => at * step);
}
