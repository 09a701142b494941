/** Posts a message to a webhook: with a time limit, without redirects, and reading little of the response. */

import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Network } from './address-guard.ts';
import {
  guardedLookup,
  type HostRules,
  type ResolveName,
  refuseForbiddenHost,
  resolveName,
} from './resolve-host.ts';

/** Milliseconds until a receiver must have answered, from the first connection to the status. */
const TIMEOUT = 15_000;

/** Milliseconds after the status until a response must have ended. */
const BODY_TIMEOUT = 1000;

/** Responses up to this many bytes are read, so that the connection can be used again. Longer ones close it. */
const MAX_BYTES = 64 * 1024;

/** Milliseconds after which an idle connection is closed. */
const IDLE = 30_000;

export interface SendSettings {
  /** Networks that are allowed although they are not public. */
  readonly allowed: readonly Network[];
  /** Milliseconds; 15 seconds by default. */
  readonly timeout?: number;
  readonly resolve?: ResolveName;
  /** Certificates that are trusted instead of the system's. */
  readonly ca?: string | Buffer;
}

export interface SignedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Posts messages to one webhook over a persistent connection. */
export class WebhookConnection {
  readonly #url: URL;
  readonly #rules: HostRules;
  readonly #timeout: number;
  readonly #agent: http.Agent;
  #underWay: ClientRequest | undefined;
  #isClosed = false;

  constructor(url: URL, { allowed, timeout, resolve, ca }: SendSettings) {
    this.#url = url;
    this.#timeout = timeout ?? TIMEOUT;
    const isEncrypted = url.protocol === 'https:';
    this.#rules = { isEncrypted, allowed, resolve: resolve ?? resolveName };
    const options = { keepAlive: true, maxFreeSockets: 1, timeout: IDLE };
    const lookup = guardedLookup(this.#rules);
    this.#agent = isEncrypted
      ? new https.Agent({ ...options, lookup, ...(ca === undefined ? {} : { ca }) })
      : new http.Agent({ ...options, lookup });
  }

  /** The status of the response. Throws if there is none in time. */
  async post(message: SignedMessage): Promise<number> {
    refuseForbiddenHost(this.#url.hostname, this.#rules);
    const end = performance.now() + this.#timeout;
    try {
      return await this.#send(message, end);
    } catch (error) {
      // The receiver had closed the connection since the last message.
      if (error instanceof StaleConnection) return await this.#send(message, end);
      throw error;
    }
  }

  /** Also ends a request that is under way. */
  close(): void {
    this.#isClosed = true;
    this.#agent.destroy();
    this.#underWay?.destroy();
  }

  /** Waits until the response has ended too, so that there is one connection at a time. */
  async #send({ headers, body }: SignedMessage, end: number): Promise<number> {
    if (this.#isClosed) throw new Error('this process has closed the connection');
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const { request: open } = this.#rules.isEncrypted ? https : http;
    const request = open(this.#url, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
      agent: this.#agent,
    });
    this.#underWay = request;
    const late = () => request.destroy(new NoAnswer(this.#timeout));
    let timer = setTimeout(late, Math.max(0, end - performance.now()));
    let status: number | undefined;
    // Once the status has arrived, it counts even if the connection fails.
    const settle = (error: Error) => (status === undefined ? reject(error) : resolve(status));
    request.on('response', (response) => {
      clearTimeout(timer);
      timer = setTimeout(() => request.destroy(), BODY_TIMEOUT);
      status = response.statusCode ?? 0;
      discard(response);
    });
    request.on('error', (error) => settle(staleOr(request, error)));
    // A receiver that upgrades unasked (status 101) closes the request without a response.
    request.on('close', () => {
      clearTimeout(timer);
      settle(new Error('the connection closed before the response'));
    });
    request.end(body);
    return await promise;
  }
}

class NoAnswer extends Error {
  constructor(milliseconds: number) {
    super(`no response within ${milliseconds / 1000} s`);
  }
}

class StaleConnection extends Error {}

const staleOr = (request: ClientRequest, error: NodeJS.ErrnoException): Error =>
  request.reusedSocket && error.code === 'ECONNRESET'
    ? new StaleConnection('the connection was closed', { cause: error })
    : error;

function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) response.destroy();
  });
}
