/** Webhooks that the client's own token manages. */

import type { Cancellable } from './lists/rows.ts';
import type {
  ManagedWebhook,
  NewWebhookParameters,
  RemovedWebhook,
  WebhookTest,
  WebhookWithSecret,
} from './model.ts';
import { requestJson, requestRemoval } from './request-json.ts';
import type { Connection } from './transport/connection.ts';
import { NO_RETRIES } from './transport/retry.ts';

const PATH = '/api/admin/webhooks';

/** Requires a token that the operator created with `--may-manage-tokens`. */
export interface Webhooks {
  /** The webhooks within the rights of the client's token, oldest first, without their secrets. */
  list(options?: Cancellable): Promise<readonly ManagedWebhook[]>;
  /** Adds a webhook. Its secret cannot be read again. The client does not retry this request. */
  add(webhook: NewWebhookParameters, options?: Cancellable): Promise<WebhookWithSecret>;
  pause(id: string, options?: Cancellable): Promise<ManagedWebhook>;
  /** Continues where deliveries stopped, also if the service has stopped the webhook. */
  resume(id: string, options?: Cancellable): Promise<ManagedWebhook>;
  /** Creates a new secret. For 24 hours, the old one signs messages, too. The client does not retry this request. */
  rotate(id: string, options?: Cancellable): Promise<WebhookWithSecret>;
  /** Sends a message of the type `webhook.test`, and waits at most 15 seconds for the receiver. */
  test(id: string, options?: Cancellable): Promise<WebhookTest>;
  /** Delivers again what has changed since a time, such as `2026-03-01T14:00:00Z`. */
  replay(id: string, since: string, options?: Cancellable): Promise<ManagedWebhook>;
  /** Reads the list first. */
  remove(id: string, options?: Cancellable): Promise<RemovedWebhook>;
}

const pathOf = (id: string, action = ''): string => `${PATH}/${encodeURIComponent(id)}${action}`;

export function webhooksOf(connection: Connection): Webhooks {
  const setPaused = async (id: string, paused: boolean, options: Cancellable = {}) =>
    await requestJson<ManagedWebhook>(
      connection,
      { path: pathOf(id), method: 'PATCH', parameters: { paused: String(paused) } },
      options,
    );
  return {
    list: async (options = {}) =>
      await requestJson(connection, { path: PATH, parameters: {} }, options),
    add: async (webhook, options = {}) =>
      await requestJson(
        connection,
        { path: PATH, method: 'POST', parameters: webhook },
        options,
        NO_RETRIES,
      ),
    pause: async (id, options) => await setPaused(id, true, options),
    resume: async (id, options) => await setPaused(id, false, options),
    rotate: async (id, options = {}) =>
      await requestJson(
        connection,
        { path: pathOf(id, '/rotation'), method: 'POST', parameters: {} },
        options,
        NO_RETRIES,
      ),
    test: async (id, options = {}) =>
      await requestJson(
        connection,
        { path: pathOf(id, '/test'), method: 'POST', parameters: {} },
        options,
        NO_RETRIES,
      ),
    replay: async (id, since, options = {}) =>
      await requestJson(
        connection,
        { path: pathOf(id, '/replay'), method: 'POST', parameters: { since } },
        options,
      ),
    remove: async (id, options = {}) =>
      await requestRemoval<RemovedWebhook>(connection, {
        ...options,
        path: PATH,
        id,
        notFound: 'webhook_not_found',
        removed: { id, removed: true },
      }),
  };
}
