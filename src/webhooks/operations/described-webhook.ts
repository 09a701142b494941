/** Describes a webhook and its progress, for commands and responses. */

import type { ManagedWebhook } from '../../contract/webhooks/managed-webhook.ts';
import type { WebhookState } from '../../contract/webhooks/webhook-states.ts';
import type { WebhookStatus } from './webhook-operations.ts';

export function describedWebhook(status: WebhookStatus): ManagedWebhook {
  const { id, webhook, progress } = status;
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
    state: stateOf(status),
    error: progress.error,
    failing_since: timeOf(progress.failingSince),
    retry_at: timeOf(progress.retryAt),
    delivered_at: timeOf(progress.deliveredAt),
    waiting_since: timeOf(progress.oldestAt),
  };
}

const timeOf = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();

function stateOf({ webhook, progress, isRevoked }: WebhookStatus): WebhookState {
  if (isRevoked) return 'creator_revoked';
  if (progress.stopped !== null) return progress.stopped;
  if (webhook.isPaused) return 'paused';
  return progress.failures > 0 ? 'retrying' : 'active';
}
