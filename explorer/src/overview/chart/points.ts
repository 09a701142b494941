/** Data points of the chart: one per time bucket, split by status, beside the former period. */

import type { Status } from '../../../../src/contract/record/statuses.ts';
import { type Bucket, bucketsIn, type Granularity } from '../../query/granularity.ts';
import { type Clock, type Incompleteness, incompletenessOf } from '../../query/incompleteness.ts';
import { STATUS_ORDER } from '../../query-form/filters/status-filter.tsx';
import { measureValue, type SummaryMeasure } from '../measures.ts';
import type { LatestResponse } from '../use-latest-response.ts';

export interface Point extends Bucket {
  readonly total: number;
  /** In stacking order. */
  readonly parts: readonly { readonly status: Status; readonly value: number }[];
  /** Undefined if no day of the former period corresponds to the bucket. */
  readonly former: number | undefined;
  /** Undefined if the numbers are complete. */
  readonly incomplete: Incompleteness | undefined;
}

/** What the chart shows. */
export interface Series {
  readonly points: readonly Point[];
  readonly granularity: Granularity;
  readonly measure: SummaryMeasure;
  /** The name of the former period; undefined without one. */
  readonly formerLabel: string | undefined;
}

interface PointOptions {
  readonly measure: SummaryMeasure;
  /** The values of the former period by bucket. */
  readonly former: ReadonlyMap<string, number> | undefined;
  readonly clock: Clock;
}

export function pointsOf(
  { groups, days, granularity }: LatestResponse,
  { measure, former, clock }: PointOptions,
): readonly Point[] {
  const values = new Map(
    groups.map((group) => [`${group[granularity]} ${group.status}`, measureValue(group, measure)]),
  );
  return bucketsIn(days, granularity, clock.timeZone).map((bucket) => {
    const parts = STATUS_ORDER.map((status) => ({
      status,
      value: values.get(`${bucket.name} ${status}`) ?? 0,
    }));
    return {
      ...bucket,
      parts,
      total: parts.reduce((sum, { value }) => sum + value, 0),
      former: former?.get(bucket.name),
      incomplete: incompletenessOf(bucket, clock),
    };
  });
}
