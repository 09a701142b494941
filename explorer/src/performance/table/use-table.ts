/** React hook for the rows of the performance table. */

import { useExplorer } from '../../access/explorer-context.tsx';
import type { ApiQuery } from '../../query/api-query.ts';
import { resolveComparison } from '../../query/comparisons.ts';
import { useToday } from '../../query/today.ts';
import { performanceQueryOf } from '../performance-query.ts';
import { type PerformanceResult, usePerformance } from '../use-performance.ts';
import type { TableSort } from './columns.ts';
import { type Tab, tabNamed } from './tabs.ts';

export interface TableQuery {
  readonly tab: Tab;
  readonly sort: TableSort;
  /** Without the limit of rows. */
  readonly query: ApiQuery;
  /** Whether the rows show how much they changed from the former period. */
  readonly isCompared: boolean;
}

/** Rows that the cards request: enough for the programs of most platforms, and few enough for phones. */
export const FIRST_ROWS = 200;

export function useTableQuery(): TableQuery {
  const { service, view, days } = useExplorer();
  const today = useToday(service.me.time_zone);
  const compared = resolveComparison({ ...view, days, today });
  // A comparison that is cut at the present hour needs groups by hour. The table has others, so it is not compared.
  const isCompared = compared !== undefined && !compared.isCutAtHour;
  const tab = tabNamed(view.table, service.role);
  return {
    tab,
    sort: view.sort,
    isCompared,
    query: {
      ...performanceQueryOf(view, days),
      group_by: tab.grouping,
      names: 'true',
      sort: view.sort,
      ...(isCompared ? { compare: compared.compare } : {}),
    },
  };
}

export const useTableRows = (
  { query }: TableQuery,
  limit: number,
  isEnabled = true,
): PerformanceResult => usePerformance({ ...query, limit: String(limit) }, isEnabled);
