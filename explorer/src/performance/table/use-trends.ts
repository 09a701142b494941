/** React hook for the sparklines of the performance table, loaded by one request after the rows. */

import { useExplorer } from '../../access/explorer-context.tsx';
import type { ResultRow } from '../../query/api-query.ts';
import { type Granularity, granularityOf } from '../../query/granularity.ts';
import { useClock } from '../../query/use-clock.ts';
import { performanceQueryOf } from '../performance-query.ts';
import { usePerformance } from '../use-performance.ts';
import { trendQuery, trendsOf } from './trends.ts';
import type { TableQuery } from './use-table.ts';

export interface Trends {
  readonly granularity: Granularity;
  /** The earnings of each time bucket, by the value of the group; empty until they have arrived. */
  readonly lines: ReadonlyMap<string, readonly number[]>;
}

/** `rows` are those that are shown; undefined while they are loading. */
export function useTrends(
  { tab }: TableQuery,
  rows: readonly ResultRow[] | undefined,
): Trends | undefined {
  const { view, days } = useExplorer();
  const granularity = granularityOf(days);
  const filters = performanceQueryOf(view, days);
  const { grouping, isFilter } = tab;
  const query = isFilter ? trendQuery(filters, grouping, rows ?? [], granularity) : undefined;
  const { data, dataUpdatedAt, isPlaceholderData } = usePerformance(
    query ?? {},
    query !== undefined,
  );
  const clock = useClock(data === undefined ? undefined : dataUpdatedAt);
  if (!isFilter) return undefined;
  const isKnown = query !== undefined && data !== undefined && !isPlaceholderData;
  const lines = trendsOf(isKnown ? data : [], { grouping, granularity, days, clock });
  return { granularity, lines };
}
