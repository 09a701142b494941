/** Query of the webhooks that the user manages. */

import { useQuery } from '@tanstack/react-query';
import { useExplorer } from '../explorer-context.tsx';

/** Milliseconds after which the page asks again whether the service has stopped a webhook. */
const EVERY = 300_000;

/** Sends no request if the user may not manage webhooks. */
export function useWebhooks(staleTime = EVERY) {
  const { service } = useExplorer();
  return useQuery({
    queryKey: ['webhooks'],
    queryFn: async ({ signal }) => await service.webhooks.list({ signal }),
    enabled: service.me.may_manage_tokens,
    refetchInterval: EVERY,
    staleTime,
  });
}
