/** Logs webhooks that cannot be read, and logs and audits those whose token is revoked: once each, not at each read. */

import type { DeliveryDeps } from './webhook-delivery.ts';
import type { StoredWebhook, UnreadableWebhook } from './webhook-table.ts';

type Deps = Pick<DeliveryDeps, 'logger' | 'onStopped'>;

export class WebhookFaultLog {
  readonly #deps: Deps;
  #unreadable: readonly string[] = [];
  #revoked: readonly string[] = [];

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
  revoked(known: readonly StoredWebhook[]): void {
    const revoked = known.filter(isStoppedByRevocation);
    for (const { id, webhook } of revoked) {
      if (this.#revoked.includes(id)) continue;
      const reason = 'creator_revoked';
      const details = { webhook: id, host: new URL(webhook.url).host, reason };
      this.#deps.logger.error(details, 'webhook: stopped');
      this.#deps.onStopped(id, reason);
    }
    this.#revoked = revoked.map(({ id }) => id);
  }
}

const isStoppedByRevocation = ({ webhook, progress, isRevoked }: StoredWebhook): boolean =>
  isRevoked && !webhook.isPaused && (progress?.stopped ?? null) === null;
