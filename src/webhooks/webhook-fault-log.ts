/**
 * Logs webhooks that cannot be read, and logs and audits those whose token is revoked: once each, not at each read.
 *
 * The database keeps which stops were announced, so that a later process does not announce them again.
 */

import { controllingTokenId } from './webhook.ts';
import type { DeliveryDeps } from './webhook-delivery.ts';
import { noteAnnounced, type StoredWebhook, type UnreadableWebhook } from './webhook-table.ts';

type Deps = Pick<DeliveryDeps, 'engine' | 'logger' | 'onStopped'>;

export class WebhookFaultLog {
  readonly #deps: Deps;
  #unreadable: readonly string[] = [];
  /** Announced by this process, but perhaps not stored yet. */
  #announced: readonly string[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  unreadable(webhooks: readonly UnreadableWebhook[]): void {
    for (const { id } of webhooks) {
      if (this.#unreadable.includes(id)) continue;
      this.#deps.logger.error({ webhook: id }, 'webhook: cannot read its definition or progress');
    }
    this.#unreadable = webhooks.map(({ id }) => id);
  }

  /** Leaves out webhooks that were paused or had stopped before their token was revoked. */
  async revoked(known: readonly StoredWebhook[]): Promise<void> {
    const stopped = known.filter(isStoppedByRevocation);
    const revoked = stopped.filter(isNew);
    for (const { id, webhook } of revoked) {
      if (this.#announced.includes(id)) continue;
      const reason = 'creator_revoked';
      const details = { webhook: id, host: new URL(webhook.url).host, reason };
      this.#deps.logger.error(details, 'webhook: stopped');
      this.#deps.onStopped(id, reason);
    }
    // Also those that the database knows: a late replica may not know them at the next update.
    this.#announced = stopped.map(({ id }) => id);
    // If this fails, the next update tries it again.
    for (const one of revoked) await noteAnnounced(this.#deps.engine, one);
  }
}

const isStoppedByRevocation = ({ webhook, progress, isRevoked }: StoredWebhook): boolean =>
  isRevoked && !webhook.isPaused && (progress?.stopped ?? null) === null;

const isNew = ({ webhook, announced }: StoredWebhook): boolean =>
  announced !== controllingTokenId(webhook);
