/** Asks for the groups of a question as soon as it is due; those of the question before stay until they are there. */

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useAccess } from '../access/access-context.tsx';
import type { Question, Values } from '../query/question.ts';

export function useGroups(
  question: Question,
  groupings: readonly string[],
  isDue = true,
): UseQueryResult<readonly Values[]> {
  const { service } = useAccess();
  const { type } = question;
  const grouped = { ...question, group_by: groupings.join(',') };
  return useQuery({
    queryKey: ['groups', type, grouped] as const,
    queryFn: async ({ signal }) => await service.transactions.summary(grouped, { signal }),
    enabled: isDue,
    // Numbers of another kind would be taken for those of this one.
    placeholderData: (groups: readonly Values[] | undefined, before) =>
      before?.queryKey[1] === type ? groups : undefined,
  });
}
