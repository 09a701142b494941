/** Refuses a new webhook beyond the limits: of the token that adds it, and of all webhooks. */

import { MAX_WEBHOOKS, MAX_WEBHOOKS_PER_CREATOR } from '../../contract/webhooks/webhook-limits.ts';
import type { StoredWebhook } from '../webhook-table.ts';
import { WebhookRefused } from './webhook-refused.ts';

/** Commands have no creator, and only the limit of all. Throws a WebhookRefused. */
export function refuseWebhookBeyondLimit(
  webhooks: readonly Pick<StoredWebhook, 'webhook'>[],
  creator: string | undefined,
): void {
  if (webhooks.length >= MAX_WEBHOOKS) throw tooMany(`There are ${MAX_WEBHOOKS} webhooks already.`);
  if (creator === undefined) return;
  const own = webhooks.filter(({ webhook }) => webhook.createdBy === creator);
  if (own.length < MAX_WEBHOOKS_PER_CREATOR) return;
  throw tooMany(
    `The token of the request has added ${own.length} webhooks, and each token can have ${MAX_WEBHOOKS_PER_CREATOR}.`,
  );
}

const tooMany = (message: string): WebhookRefused =>
  new WebhookRefused('count', message, 'Remove one: transactions webhook list');
