/** Asks for the groups of a question as soon as it is due; those of the question before stay until they are there. */

import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useAsker } from '../asker.tsx';
import type { Question, Values } from '../question.ts';

export function useGroups(
  question: Question,
  groupings: readonly string[],
  isDue = true,
): UseQueryResult<readonly Values[]> {
  const { service } = useAsker();
  const grouped = { ...question, group_by: groupings.join(',') };
  return useQuery({
    queryKey: ['groups', grouped],
    queryFn: async ({ signal }) => await service.transactions.summary(grouped, { signal }),
    enabled: isDue,
    placeholderData: keepPreviousData,
  });
}
