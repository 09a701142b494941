/** React hook for performance; shows the previous response while the next is loading or has failed. */

import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useExplorer } from '../access/explorer-context.tsx';
import type { ApiQuery, ResultRow } from '../query/api-query.ts';
import { useLastKnown } from '../query/use-last-known.ts';

export type PerformanceResult = Pick<
  UseQueryResult<readonly ResultRow[]>,
  'data' | 'dataUpdatedAt' | 'error' | 'isPlaceholderData' | 'refetch'
>;

export function usePerformance(query: ApiQuery, isEnabled = true): PerformanceResult {
  const { service } = useExplorer();
  const result = useQuery({
    queryKey: ['performance', query] as const,
    queryFn: async ({ signal }) => await service.performance(query, { signal }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  const { dataUpdatedAt, error, refetch } = result;
  return { ...useLastKnown(result, undefined), dataUpdatedAt, error, refetch };
}
