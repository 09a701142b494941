/** Does the operator's work through the process that holds the embedded database. */

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { socketPath, workDirectory } from './database.ts';
import { followImport } from './import-events.ts';
import type { CreatedToken, ImportOrder, ImportWatch, Operator, TokenOrder } from './operator.ts';
import { OperatorError } from './operator-error.ts';
import { type TokenText, tokenRecord } from './token-text.ts';

export class RemoteOperator implements Operator {
  readonly #directory: string;
  readonly workDirectory: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.workDirectory = workDirectory(directory);
  }

  async importFiles(order: ImportOrder, watch: ImportWatch) {
    const response = await this.#send('POST', '/imports', order, watch.signal);
    return await followImport(createInterface({ input: response }), watch);
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
    const answer = JSON.parse(await text(await this.#send(method, path, body)));
    if (answer.message !== undefined) throw new Error(answer.message);
    return answer;
  }

  async #send(
    method: string,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = httpRequest({
      socketPath: socketPath(this.#directory),
      method,
      path,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(signal ? { signal } : {}),
    });
    request.on('response', resolve);
    request.on('error', (cause) => reject(this.#unreachable(cause)));
    request.end(body === undefined ? undefined : JSON.stringify(body));
    return await promise;
  }

  #unreachable(cause: Error): Error {
    if (cause.name === 'AbortError') return cause;
    return new OperatorError(
      `Another process holds the database in ${this.#directory}, and it does not answer.`,
      'Wait until it has ended, or stop it: only `transactions serve` and `demo` share their database.',
      { cause },
    );
  }
}
