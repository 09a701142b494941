/** A webhook after it was resumed, or taken over from a revoked token. */

import type { Principal } from '../../auth/principal.ts';
import { refuseWiderWebhook } from '../../auth/token-rights.ts';
import type { Webhook } from '../webhook.ts';
import type { StoredWebhook } from '../webhook-table.ts';

/** Makes a webhook whose token was revoked depend on `by`. Throws a Problem if `by` may not add such a webhook. */
export function takenOver(
  { webhook, isRevoked }: StoredWebhook,
  by: Principal | undefined,
): Webhook {
  if (!isRevoked) return webhook;
  if (by !== undefined) refuseWiderWebhook(by, webhook);
  return { ...webhook, resumedBy: by?.id ?? null };
}

/** The webhook in a new generation, and not paused. */
export const continued = (found: StoredWebhook, by: Principal | undefined): Webhook => ({
  ...takenOver(found, by),
  isPaused: false,
  generation: found.webhook.generation + 1,
});
