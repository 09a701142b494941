/** Data points of the chart: one per time bucket, split by status. */

import type { Status } from '../../../../src/contract/record/statuses.ts';
import { bucketsIn, overlapOf, type Period } from '../../query/periods.ts';
import { STATUS_ORDER } from '../../query-form/status-filter.tsx';
import { type Measure, measureValue } from '../measures.ts';
import type { LatestResponse } from '../use-latest-response.ts';

export interface Point {
  /** The part of the time bucket that lies in the queried period. */
  readonly days: Period;
  /** Whether that is the whole bucket. */
  readonly isWhole: boolean;
  readonly total: number;
  /** In stacking order. */
  readonly parts: readonly { readonly status: Status; readonly value: number }[];
}

/** Length of `YYYY-MM`. */
const MONTH = 7;

export function pointsOf(
  { groups, days, granularity }: LatestResponse,
  measure: Measure,
): readonly Point[] {
  const values = new Map(
    groups.map((group) => [`${group[granularity]} ${group.status}`, measureValue(group, measure)]),
  );
  return bucketsIn(days, granularity).map((whole) => {
    const key = granularity === 'month' ? whole.start.slice(0, MONTH) : whole.start;
    const parts = STATUS_ORDER.map((status) => ({
      status,
      value: values.get(`${key} ${status}`) ?? 0,
    }));
    const covered = overlapOf(whole, days);
    return {
      days: covered,
      isWhole: covered.start === whole.start && covered.end === whole.end,
      parts,
      total: parts.reduce((sum, { value }) => sum + value, 0),
    };
  });
}
