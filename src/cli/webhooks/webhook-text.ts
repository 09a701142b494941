/** Webhooks as JSON and as lines of a table. */

import { assertNever } from '../../contract/assert-never.ts';
import type { ManagedWebhook } from '../../contract/webhooks/managed-webhook.ts';
import { describedWebhook } from '../../webhooks/operations/described-webhook.ts';
import type { WebhookStatus } from '../../webhooks/operations/webhook-operations.ts';
import { printableLine } from '../output/printable.ts';

/** The lists of identifiers are empty where nothing limits the webhook. */
export type WebhookJson = ManagedWebhook & {
  readonly publisher_ids: readonly number[];
  readonly program_ids: readonly number[];
};

export function webhookJson(status: WebhookStatus): WebhookJson {
  const { publisherIds, programIds } = status.webhook;
  return { ...describedWebhook(status), publisher_ids: publisherIds, program_ids: programIds };
}

export const webhookRow = (webhook: WebhookJson): Readonly<Record<string, string>> => ({
  id: webhook.id,
  url: printableLine(webhook.url),
  role: webhook.role,
  publishers: webhook.publisher_ids.join(',') || 'all',
  programs: webhook.program_ids.join(',') || 'all',
  types: webhook.types.join(','),
  name: printableLine(webhook.name ?? ''),
  creator: printableLine(webhook.created_by ?? ''),
  delivered: webhook.delivered_at?.slice(0, 16) ?? 'never',
  state: stateText(webhook),
});

function stateText({ id, state, error, retry_at }: WebhookJson): string {
  const cause = error === null ? '' : `: ${printableLine(error)}`;
  switch (state) {
    case 'active':
    case 'paused':
      return state;
    case 'retrying':
      return `retrying at ${retry_at?.slice(0, 16) ?? 'once'}${cause}`;
    case 'failing':
      return `stopped after three days of failures${cause}. Continue: transactions webhook resume ${id}`;
    case 'receiver_gone':
      return `stopped, because the receiver answered 410. Continue: transactions webhook resume ${id}`;
    case 'creator_revoked':
      return `stopped, because the access token that it depends on was revoked. Continue: transactions webhook resume ${id}`;
    case 'changes_expired':
      return `stopped: undelivered changes are not kept any more, a backup was restored, or IP_ADDRESSES was changed. The receiver must read the lists of the API again. Then: transactions webhook replay ${id} --since TIME`;
    default:
      return assertNever(state);
  }
}
