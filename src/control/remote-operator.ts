/** Does the operator's work through the process that holds the embedded database. */

import { randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { socketPath, workDirectory } from '../database/open-database.ts';
import { UserError } from '../user-error.ts';
import { followImport } from './import-events.ts';
import type { CreatedToken, ImportCommand, ImportWatch, Operator, TokenOrder } from './operator.ts';
import { type TokenText, tokenRecord } from './token-json.ts';

/** For so many milliseconds a process that does not listen is taken for one that is just starting. */
const STARTING_TIME = 3000;
const TRY_INTERVAL = 100;

export class RemoteOperator implements Operator {
  readonly #directory: string;
  readonly workDirectory: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.workDirectory = workDirectory(directory);
  }

  /** The time zone of the database. */
  async timeZone(): Promise<string> {
    const giveUp = Date.now() + STARTING_TIME;
    for (;;) {
      try {
        return (await this.#ask<{ time_zone: string }>('GET', '/database')).time_zone;
      } catch (error) {
        if (!(error instanceof UserError) || Date.now() > giveUp) throw error;
        await sleep(TRY_INTERVAL);
      }
    }
  }

  /** An abort of the signal is passed on; what became of the import is still waited for. */
  async importFiles(order: ImportCommand, watch: ImportWatch) {
    const path = `/imports/${randomUUID()}`;
    const response = await this.#send('POST', path, order);
    const stop = () => void this.#ask('DELETE', path).catch(() => undefined);
    watch.signal?.addEventListener('abort', stop, { once: true });
    if (watch.signal?.aborted) stop();
    try {
      return await followImport(response, watch);
    } finally {
      watch.signal?.removeEventListener('abort', stop);
    }
  }

  async createToken(order: TokenOrder): Promise<CreatedToken> {
    const answer = await this.#ask<{ token: string; record: TokenText }>('POST', '/tokens', order);
    return { token: answer.token, record: tokenRecord(answer.record) };
  }

  async listTokens() {
    return (await this.#ask<TokenText[]>('GET', '/tokens')).map(tokenRecord);
  }

  async revokeToken(id: string) {
    const path = `/tokens/${encodeURIComponent(id)}/revocation`;
    return (await this.#ask<{ found: boolean }>('POST', path, {})).found;
  }

  async close() {}

  async #ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return JSON.parse(await text(await this.#send(method, path, body)));
  }

  /** The answer; throws the other process's words where it refuses. */
  async #send(method: string, path: string, body?: unknown): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = httpRequest({
      socketPath: socketPath(this.#directory),
      method,
      path,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
    });
    request.on('response', resolve);
    request.on('error', (cause) => reject(this.#unreachable(cause)));
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const response = await promise;
    if (response.statusCode === 200) return response;
    throw new Error(JSON.parse(await text(response)).message);
  }

  #unreachable(cause: Error): Error {
    return new UserError(
      `Another process holds the database in ${this.#directory}, and it does not answer.`,
      'Wait until it has ended, or stop it: only `transactions serve` and `demo` share their database.',
      { cause },
    );
  }
}
