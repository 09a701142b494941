/** Earnings over time for the sparklines of the rows that are shown. */

import { type ApiQuery, type ResultRow, urlParameters } from '../../query/api-query.ts';
import { isValid, textOf } from '../../query/filters.ts';
import { bucketsIn, type Granularity } from '../../query/granularity.ts';
import { type Clock, incompletenessOf } from '../../query/incompleteness.ts';
import type { Period } from '../../query/periods.ts';

/** Rows that are requested: enough for 8 groups over ten years of months. */
const MAX_ROWS = 1000;

/** Characters of a query. The whole URL may have about 8,000. */
const MAX_QUERY = 6000;

/** Undefined if no row has a value to filter by, or if the values are too long for a URL. */
export function trendQuery(
  filters: ApiQuery,
  grouping: string,
  rows: readonly ResultRow[],
  granularity: Granularity,
): ApiQuery | undefined {
  const values = rows.flatMap(({ [grouping]: value }) =>
    value === null || value === undefined ? [] : [String(value)],
  );
  // A stored text can be longer than the filter accepts.
  const accepted = values.filter((value) => isValid(grouping, textOf(grouping, [value])));
  if (accepted.length === 0) return undefined;
  const query = {
    ...filters,
    [grouping]: textOf(grouping, accepted),
    group_by: `${granularity},${grouping}`,
    limit: String(MAX_ROWS),
  };
  const { length } = String(new URLSearchParams(urlParameters(query)));
  return length > MAX_QUERY ? undefined : query;
}

interface TrendOptions {
  readonly grouping: string;
  readonly granularity: Granularity;
  readonly days: Period;
  readonly clock: Clock;
}

/** The earnings of each complete time bucket, by the value of the group. */
export function trendsOf(
  rows: readonly ResultRow[],
  { grouping, granularity, days, clock }: TrendOptions,
): ReadonlyMap<string, readonly number[]> {
  // Rows are sorted by time, so a full page may lack rows of its last bucket, and lacks all later buckets.
  const cut = rows.length < MAX_ROWS ? undefined : String(rows.at(-1)?.[granularity]);
  const isRead = (name: string) => name <= clock.now && (cut === undefined || name < cut);
  const places = new Map(
    bucketsIn(days, granularity, clock.timeZone)
      .filter((bucket) => isRead(bucket.name) && !incompletenessOf(bucket, clock))
      .map(({ name }, place) => [name, place]),
  );
  const trends = new Map<string, number[]>();
  for (const { [grouping]: value, [granularity]: bucket, earnings } of rows) {
    const place = places.get(String(bucket));
    if (value === undefined || place === undefined) continue;
    const trend = trends.get(String(value)) ?? Array.from(places, () => 0);
    trend[place] = Number(earnings);
    trends.set(String(value), trend);
  }
  return trends;
}

/** The path of the line in an SVG that is 1 high. A line of zeros is at the bottom. */
export function sparklinePath(values: readonly number[]): string {
  const highest = Math.max(0, ...values);
  const height = highest - Math.min(0, ...values);
  return values
    .map((value, place) => `${place === 0 ? 'M' : 'L'}${place} ${y(highest - value, height)}`)
    .join('');
}

const y = (depth: number, height: number): number => (height === 0 ? 1 : depth / height);
