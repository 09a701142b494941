/** Operations on webhooks through the process that has the database open. */

import * as v from 'valibot';
import type { WebhookManager } from '../../webhooks/operations/webhook-operations.ts';
import { PROGRESS } from '../../webhooks/progress.ts';
import { type NewWebhook, WEBHOOK } from '../../webhooks/webhook.ts';

/** Sends a request to the other process, and parses its response. */
export type Ask = <Answer>(
  schema: v.GenericSchema<unknown, Answer>,
  method: string,
  path: string,
  body?: unknown,
) => Promise<Answer>;

const STATUS = v.object({
  id: v.string(),
  webhook: WEBHOOK,
  progress: PROGRESS,
  // Processes of earlier versions do not send it, and keep delivering when the webhook's token is revoked.
  isRevoked: v.optional(v.boolean(), false),
});
const CREATED = v.object({ ...STATUS.entries, secret: v.string() });
const FOUND = v.object({ found: v.boolean() });
const ROTATED = v.object({ secret: v.nullable(v.string()) });
const TEST_RESULT = v.object({
  isDelivered: v.boolean(),
  error: v.nullable(v.string()),
  milliseconds: v.number(),
});
const TESTED = v.object({ result: v.nullable(TEST_RESULT) });

const pathOf = (id: string, action: string): string =>
  `/webhooks/${encodeURIComponent(id)}${action}`;

export class RemoteWebhooks implements WebhookManager {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async add(webhook: NewWebhook) {
    return await this.#ask(CREATED, 'POST', '/webhooks', webhook);
  }

  async list() {
    return await this.#ask(v.array(STATUS), 'GET', '/webhooks');
  }

  async test(id: string) {
    return (await this.#ask(TESTED, 'POST', pathOf(id, '/test'), {})).result ?? undefined;
  }

  async pause(id: string) {
    return (await this.#ask(FOUND, 'POST', pathOf(id, '/pause'), {})).found;
  }

  async resume(id: string) {
    return (await this.#ask(FOUND, 'POST', pathOf(id, '/resumption'), {})).found;
  }

  async rotate(id: string) {
    return (await this.#ask(ROTATED, 'POST', pathOf(id, '/rotation'), {})).secret ?? undefined;
  }

  async replay(id: string, since: Date) {
    const body = { since: since.toISOString() };
    return (await this.#ask(FOUND, 'POST', pathOf(id, '/replay'), body)).found;
  }

  async remove(id: string) {
    return (await this.#ask(FOUND, 'DELETE', pathOf(id, ''))).found;
  }
}
