/** React hook that loads the date picker's content on demand, because the content is a fifth of the page's size. */

import { useQuery } from '@tanstack/react-query';

export function usePeriodPanel(isWanted: boolean) {
  const { data, isError } = useQuery({
    queryKey: ['period panel'] as const,
    queryFn: async () => (await import('./period-panel.tsx')).PeriodPanel,
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return { Panel: data, hasFailed: isError };
}
