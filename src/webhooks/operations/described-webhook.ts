/** Describes a webhook and how far it is, for commands and responses. */

import type { ManagedWebhook } from '../../contract/webhooks/managed-webhook.ts';
import type { WebhookState } from '../../contract/webhooks/webhook-states.ts';
import type { WebhookStatus } from './webhook-operations.ts';

export function describedWebhook({ id, webhook, progress }: WebhookStatus): ManagedWebhook {
  const { url, name, role, publisherIds, programIds, types, locale, createdBy, createdAt } =
    webhook;
  return {
    id,
    url,
    name,
    role,
    publisher_ids: role === 'admin' ? 'all' : publisherIds,
    program_ids: programIds.length === 0 ? 'all' : programIds,
    types,
    locale,
    created_by: createdBy ?? null,
    created_at: createdAt,
    state: stateOf({ webhook, progress }),
    error: progress.error,
    failing_since: timeOf(progress.failingSince),
    retry_at: timeOf(progress.retryAt),
    delivered_at: timeOf(progress.deliveredAt),
    waiting_since: timeOf(progress.oldestAt),
  };
}

const timeOf = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();

function stateOf({ webhook, progress }: Omit<WebhookStatus, 'id'>): WebhookState {
  if (progress.stopped !== null) return progress.stopped;
  if (webhook.isPaused) return 'paused';
  return progress.failures > 0 ? 'retrying' : 'active';
}
