/** Signs the messages of one webhook and posts them. */

import type { NextChanges } from './next-changes.ts';
import { type Outcome, outcomeOf } from './progress.ts';
import { type SendSettings, WebhookConnection } from './sending/post-message.ts';
import { type Message, signedMessage } from './sending/sign-message.ts';
import { messageId, signingSecrets } from './sending/webhook-secret.ts';
import { numbersOf, type Webhook } from './webhook.ts';

export interface SenderDeps {
  /** The key of the database from which secrets are derived. */
  readonly key: Buffer;
  readonly send: SendSettings;
}

/**
 * Where a message begins and ends. Its id depends on both: if records have become smaller, another attempt has
 * more changes. With the same id, a receiver would ignore these.
 */
type Range = Pick<NextChanges, 'from' | 'next'>;

export class MessageSender {
  readonly #id: string;
  readonly #webhook: Webhook;
  readonly #key: Buffer;
  readonly #connection: WebhookConnection;
  /** For the log: without the path, which may contain a secret. */
  readonly host: string;

  constructor(id: string, webhook: Webhook, { key, send }: SenderDeps) {
    const url = new URL(webhook.url);
    this.#id = id;
    this.#webhook = webhook;
    this.#key = key;
    this.#connection = new WebhookConnection(url, send);
    this.host = url.host;
  }

  /** Messages with the same positions have the same id, except that a replay sends them under new ids. */
  async sendChanges(body: Buffer, { from, next }: Range): Promise<Outcome> {
    const replay = this.#webhook.start.generation;
    const id = messageId(this.#key, this.#id, [replay, ...numbersOf(from), ...numbersOf(next)]);
    return await this.send({ id, body });
  }

  async send(message: Message): Promise<Outcome> {
    const now = Date.now();
    const secrets = signingSecrets(this.#key, this.#id, this.#webhook.secret, now);
    try {
      return outcomeOf(await this.#connection.post(signedMessage(message, secrets, now)));
    } catch (error) {
      return { result: 'failed', error: failureText(error) };
    }
  }

  /** Also ends a request that is under way. */
  close(): void {
    this.#connection.close();
  }
}

/**
 * Why no response came, for those who manage the webhook.
 *
 * System errors name addresses, and TLS errors name the hosts in a certificate. Only their code is shown,
 * so that nobody can explore an allowed network by them.
 */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
