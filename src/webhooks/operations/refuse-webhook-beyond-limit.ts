/** Refuses a new webhook beyond the limits: of the token that adds it, and of all webhooks. */

import { MAX_WEBHOOKS, MAX_WEBHOOKS_PER_CREATOR } from '../../contract/webhooks/webhook-limits.ts';
import type { StoredWebhooks } from '../webhook-table.ts';
import { WebhookRefused } from './webhook-refused.ts';

/** Throws a WebhookRefused. For commands, which have no creator, only the limit of all webhooks applies. */
export function refuseWebhookBeyondLimit(
  { webhooks, unreadable }: StoredWebhooks,
  creator: string | undefined,
): void {
  const all = [...webhooks.map(({ webhook }) => webhook), ...unreadable];
  if (all.length >= MAX_WEBHOOKS) throw tooMany(`There are ${MAX_WEBHOOKS} webhooks already.`);
  if (creator === undefined) return;
  const own = all.filter(({ createdBy }) => createdBy === creator);
  if (own.length < MAX_WEBHOOKS_PER_CREATOR) return;
  throw tooMany(
    `The token of the request has added ${own.length} webhooks, and each token can have ${MAX_WEBHOOKS_PER_CREATOR}.`,
  );
}

const tooMany = (message: string): WebhookRefused =>
  new WebhookRefused('count', message, 'Find one to remove: transactions webhook list');
