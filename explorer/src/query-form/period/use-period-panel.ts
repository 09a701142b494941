/** React hook that loads the content of the date picker when it is needed, because it is a fifth of the page's size. */

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
