/** Query of the access tokens that the user manages. */

import { useQuery } from '@tanstack/react-query';
import { useExplorer } from '../explorer-context.tsx';

interface TokensOptions {
  readonly enabled?: boolean;
  /** Milliseconds for which known tokens are not asked for again. */
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
