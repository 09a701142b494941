/** The bars of the chart: one a stretch of time, whose parts are the statuses. */

import type { Status } from '../../../../src/contract/record/statuses.ts';
import { type Period, stretchesIn, within } from '../../query/periods.ts';
import { STATUS_ORDER } from '../../query-form/status-filter.tsx';
import { type Measure, valueIn } from '../measures.ts';
import type { Shown } from '../use-latest-answer.ts';

export interface Point {
  /** The part of the stretch that is asked about. */
  readonly days: Period;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
  readonly total: number;
  /** In the order in which they are stacked. */
  readonly parts: readonly { readonly status: Status; readonly value: number }[];
}

const MONTH = 7;

export function pointsOf({ groups, days, stretch }: Shown, measure: Measure): readonly Point[] {
  const values = new Map(
    groups.map((group) => [`${group[stretch]} ${group.status}`, valueIn(group, measure)]),
  );
  return stretchesIn(days, stretch).map((whole) => {
    const key = stretch === 'month' ? whole.start.slice(0, MONTH) : whole.start;
    const parts = STATUS_ORDER.map((status) => ({
      status,
      value: values.get(`${key} ${status}`) ?? 0,
    }));
    const asked = within(whole, days);
    return {
      days: asked,
      isWhole: asked.start === whole.start && asked.end === whole.end,
      parts,
      total: parts.reduce((sum, { value }) => sum + value, 0),
    };
  });
}
