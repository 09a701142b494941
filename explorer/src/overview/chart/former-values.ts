/** Values of the former period, placed at the time buckets of the present one. */

import { Temporal } from 'temporal-polyfill';
import type { Shift } from '../../../../src/contract/query/compared-period.ts';
import type { ResultRow } from '../../query/api-query.ts';
import type { ResolvedComparison } from '../../query/comparisons.ts';
import { bucketName, bucketsIn, type Granularity } from '../../query/granularity.ts';
import { measureValue, type SummaryMeasure } from '../measures.ts';

/**
 * How to group the former period: by hour or month if each corresponds to one of the present period, and
 * otherwise by day.
 */
export function formerGranularity(granularity: Granularity, shift: Shift): Granularity {
  if (granularity === 'hour') return 'hour';
  return granularity === 'month' && shift.unit === 'months' ? 'month' : 'day';
}

interface FormerOptions {
  readonly compared: Pick<ResolvedComparison, 'former' | 'shift'>;
  readonly granularity: Granularity;
  readonly measure: SummaryMeasure;
  readonly timeZone: string;
}

/** Length of `YYYY-MM-DD`. */
const DATE = 10;

/** The values by the name of the bucket. A bucket without a corresponding former day has no value. */
export function formerValues(
  groups: readonly ResultRow[],
  { compared: { former, shift }, granularity, measure, timeZone }: FormerOptions,
): ReadonlyMap<string, number> {
  const grouping = formerGranularity(granularity, shift);
  const byName = new Map(
    groups.map((group) => [String(group[grouping]), measureValue(group, measure)]),
  );
  const found = new Map<string, number>();
  for (const { name, days } of bucketsIn(former, grouping, timeZone)) {
    const present = shifted(days.start, shift, granularity);
    if (present === undefined) continue;
    const key = granularity === 'hour' ? `${present}${name.slice(DATE)}` : present;
    found.set(key, (found.get(key) ?? 0) + (byName.get(name) ?? 0));
  }
  return found;
}

/**
 * The bucket of the present period that a former day corresponds to. If buckets are hours or days, the 31st has no
 * bucket in a shorter month. Otherwise the 30th would have the values of two days. As in the API, no day becomes one
 * before the present period.
 */
function shifted(day: string, { unit, count, first }: Shift, granularity: Granularity) {
  const overflow = granularity === 'day' || granularity === 'hour' ? 'reject' : 'constrain';
  try {
    const later = Temporal.PlainDate.from(day).add({ [unit]: count }, { overflow });
    const start = Temporal.PlainDate.from(first);
    const present = Temporal.PlainDate.compare(later, start) < 0 ? start : later;
    return bucketName(present, granularity === 'hour' ? 'day' : granularity);
  } catch {
    return undefined;
  }
}
