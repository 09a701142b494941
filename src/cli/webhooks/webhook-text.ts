/** Webhooks as JSON and as lines of a table. */

import { assertNever } from '../../contract/assert-never.ts';
import type { StopReason } from '../../webhooks/progress.ts';
import type { WebhookStatus } from '../../webhooks/webhook-operations.ts';
import { printableLine } from '../output/printable.ts';

type State = 'active' | 'retrying' | 'paused' | StopReason;

export interface WebhookJson {
  readonly id: string;
  readonly url: string;
  readonly name: string | null;
  readonly role: string;
  readonly publisher_ids: readonly number[];
  readonly program_ids: readonly number[];
  readonly types: readonly string[];
  readonly locale: string | null;
  readonly created_at: string;
  readonly state: State;
  /** Why the last attempt failed. */
  readonly error: string | null;
  readonly retry_at: string | null;
  readonly delivered_at: string | null;
  /** When the import of the oldest change that waits began. */
  readonly waiting_since: string | null;
}

export function webhookJson({ id, webhook, progress }: WebhookStatus): WebhookJson {
  const { url, name, role, publisherIds, programIds, types, locale, createdAt } = webhook;
  return {
    id,
    url,
    name,
    role,
    publisher_ids: publisherIds,
    program_ids: programIds,
    types,
    locale,
    created_at: createdAt,
    state: stateOf({ webhook, progress }),
    error: progress.error,
    retry_at: timeOf(progress.retryAt),
    delivered_at: timeOf(progress.deliveredAt),
    waiting_since: timeOf(progress.oldestAt),
  };
}

const timeOf = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();

function stateOf({ webhook, progress }: Omit<WebhookStatus, 'id'>): State {
  if (progress.stopped !== null) return progress.stopped;
  if (webhook.isPaused) return 'paused';
  return progress.failures > 0 ? 'retrying' : 'active';
}

export const webhookRow = (webhook: WebhookJson): Readonly<Record<string, string>> => ({
  id: webhook.id,
  url: printableLine(webhook.url),
  role: webhook.role,
  publishers: webhook.publisher_ids.join(',') || 'all',
  programs: webhook.program_ids.join(',') || 'all',
  types: webhook.types.join(','),
  name: printableLine(webhook.name ?? ''),
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
    case 'changes_expired':
      return `stopped: some changes were deleted before they were delivered. Read the lists, then: transactions webhook replay ${id} --since TIME`;
    default:
      return assertNever(state);
  }
}
