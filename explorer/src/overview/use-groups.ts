/** React hook for a summary; shows the previous one while the next is loading or has failed. */

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { nameFieldOf } from '../../../src/contract/record/directory.ts';
import { useExplorer } from '../access/explorer-context.tsx';
import type { ApiQuery, ResultRow } from '../query/api-query.ts';
import { useLastKnown } from '../query/use-last-known.ts';

export type GroupsResult = Pick<
  UseQueryResult<readonly ResultRow[]>,
  'data' | 'error' | 'isPlaceholderData' | 'isPending' | 'isFetching' | 'dataUpdatedAt'
>;

export function useGroups(
  query: ApiQuery,
  groupings: readonly string[],
  isEnabled = true,
): GroupsResult {
  const { service } = useExplorer();
  const { type } = query;
  const names = groupings.some((name) => nameFieldOf(name) !== undefined) ? { names: 'true' } : {};
  const grouped = { ...query, group_by: groupings.join(','), ...names };
  const result = useQuery({
    queryKey: ['groups', type, grouped] as const,
    queryFn: async ({ signal }) => await service.transactions.summary(grouped, { signal }),
    enabled: isEnabled,
    // Numbers of another kind would be misleading.
    placeholderData: (groups: readonly ResultRow[] | undefined, before) =>
      before?.queryKey[1] === type ? groups : undefined,
  });
  const { error, isPending, isFetching, dataUpdatedAt } = result;
  return { ...useLastKnown(result, type), error, isPending, isFetching, dataUpdatedAt };
}
