/** React hook for performance; shows the previous response while the next is loading. */

import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useAccess } from '../access/access-context.tsx';
import type { ApiQuery, ResultRow } from '../query/api-query.ts';

export function usePerformance(
  query: ApiQuery,
  isEnabled = true,
): UseQueryResult<readonly ResultRow[]> {
  const { service } = useAccess();
  return useQuery({
    queryKey: ['performance', query] as const,
    queryFn: async ({ signal }) => await service.performance(query, { signal }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
}
