/** Writes to the audit log what operators and requests do with webhooks. */

import type { AuditEvent } from '../../audit/audit-events.ts';
import { auditedScope } from '../../audit/audit-question.ts';
import type { Principal } from '../../auth/principal.ts';
import type { NewWebhook } from '../webhook.ts';
import type { WebhookManager } from './webhook-operations.ts';

type Change = Extract<AuditEvent, { readonly event: 'webhook_changed' }>['details']['change'];

interface AuditedWebhooksDeps {
  /** The user who runs the command; null if a request asks for it. */
  readonly user: string | null;
  readonly record: (event: AuditEvent) => Promise<void>;
}

export class AuditedWebhooks implements WebhookManager {
  readonly #webhooks: WebhookManager;
  readonly #deps: AuditedWebhooksDeps;

  constructor(webhooks: WebhookManager, deps: AuditedWebhooksDeps) {
    this.#webhooks = webhooks;
    this.#deps = deps;
  }

  async add(wanted: NewWebhook) {
    const created = await this.#webhooks.add(wanted);
    const { url, role, publisherIds, programIds, types } = created.webhook;
    const details = {
      user: this.#deps.user,
      webhook_id: created.id,
      // The path may contain a secret.
      host: new URL(url).host,
      webhook_role: role,
      publisher_ids: role === 'admin' ? 'all' : auditedScope(publisherIds),
      program_ids: programIds.length === 0 ? 'all' : auditedScope(programIds),
      types,
    } as const;
    await this.#deps.record({ event: 'webhook_added', details });
    return created;
  }

  async list() {
    return await this.#webhooks.list();
  }

  async test(id: string) {
    const result = await this.#webhooks.test(id);
    await this.#recordChange(id, 'tested', result !== undefined);
    return result;
  }

  async pause(id: string, by?: Principal) {
    return await this.#recordChange(id, 'paused', await this.#webhooks.pause(id, by));
  }

  async resume(id: string, by?: Principal) {
    return await this.#recordChange(id, 'resumed', await this.#webhooks.resume(id, by));
  }

  async rotate(id: string) {
    const secret = await this.#webhooks.rotate(id);
    await this.#recordChange(id, 'rotated', secret !== undefined);
    return secret;
  }

  async replay(id: string, since: Date, by?: Principal) {
    return await this.#recordChange(id, 'replayed', await this.#webhooks.replay(id, since, by));
  }

  async remove(id: string) {
    return await this.#recordChange(id, 'removed', await this.#webhooks.remove(id));
  }

  async #recordChange(id: string, change: Change, isFound: boolean): Promise<boolean> {
    const details = { user: this.#deps.user, webhook_id: id, change };
    if (isFound) await this.#deps.record({ event: 'webhook_changed', details });
    return isFound;
  }
}
