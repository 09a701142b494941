/** A receiver of webhooks: verifies each message with the library of Standard Webhooks, and can misbehave. */

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

export interface ReceivedMessage {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly changes?: readonly ReceivedChange[] };
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ReceivedChange {
  readonly change: string;
  readonly type: string;
  readonly transaction?: Readonly<Record<string, unknown>>;
  readonly transaction_id?: number;
}

/** Answers a message, or lets it hang. */
export type Respond = (response: ServerResponse, message: ReceivedMessage) => unknown;

export class WebhookReceiver {
  /** Messages in the order of their arrival, with repeated ones. */
  readonly messages: ReceivedMessage[] = [];
  /** The error and the body of each message that was not signed with the secret. */
  readonly forged: string[] = [];
  readonly url: string;
  secret = '';
  respond: Respond = (response) => response.writeHead(204).end();
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>) {
    const { port } = server.address() as AddressInfo;
    this.#server = server;
    this.url = `http://127.0.0.1:${port}/hooks/secret-path`;
    server.on('request', async (request, response) => {
      const body = String(await buffer(request).catch(() => ''));
      const message = this.#verified(request.headers, body);
      if (message === undefined) {
        response.writeHead(400).end();
      } else {
        this.messages.push(message);
        this.respond(response, message);
      }
    });
  }

  static async start(): Promise<WebhookReceiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WebhookReceiver(server);
  }

  #verified(headers: IncomingHttpHeaders, body: string): ReceivedMessage | undefined {
    try {
      const payload = new Webhook(this.secret).verify(body, headers as Record<string, string>);
      const { type, data } = payload as Pick<ReceivedMessage, 'type' | 'data'>;
      return { id: String(headers['webhook-id']), type, data, headers, body };
    } catch (error) {
      this.forged.push(`${String(error)} ${body}`);
      return undefined;
    }
  }

  /** The changes of messages, each message once. */
  get changes(): readonly ReceivedChange[] {
    const first = new Map(this.messages.toReversed().map((message) => [message.id, message]));
    const once = this.messages.filter((message) => first.get(message.id) === message);
    return once.flatMap(({ data }) => data.changes ?? []);
  }

  get ids(): readonly unknown[] {
    return this.changes.map((one) => one.transaction?.transaction_id ?? one.transaction_id);
  }

  /** Waits until a condition holds. */
  async until(isMet: () => boolean): Promise<void> {
    const giveUp = performance.now() + 60_000;
    while (!isMet()) {
      if (performance.now() > giveUp) throw new Error(`Received: ${JSON.stringify(this.ids)}`);
      await delay(20);
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
