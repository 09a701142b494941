/** Query of the access tokens that the user manages. */

import { useQuery } from '@tanstack/react-query';
import { useExplorer } from '../explorer-context.tsx';

interface TokensOptions {
  readonly enabled?: boolean;
  /** Milliseconds for which the cached list is used without a new request. */
  readonly staleTime?: number;
}

export function useTokens({ enabled = true, staleTime = 0 }: TokensOptions = {}) {
  const { service } = useExplorer();
  return useQuery({
    queryKey: ['tokens'],
    queryFn: async ({ signal }) => await service.tokens.list({ signal }),
    enabled,
    staleTime,
  });
}
