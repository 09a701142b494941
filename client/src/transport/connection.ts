/** Sends questions to one service as one asker, and tells the ways apart in which they fail. */

import { ClientError, ConnectionCut, UnexpectedAnswer, Unreachable } from '../errors.ts';
import { isAsAsked } from './media-types.ts';
import { foreignAnswer, isProblemType, refusalOf } from './problem-response.ts';
import { type Parameters, queryString } from './query-string.ts';
import { type RetryPolicy, retrying } from './retry.ts';
import { bearerOf, type TokenSource } from './token.ts';

/** The part of `fetch` that the client needs. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'GET' | 'HEAD';
    readonly headers: Record<string, string>;
    readonly redirect: 'manual';
    readonly cache: 'no-store';
    readonly signal: AbortSignal | null;
  },
) => Promise<Response>;

export interface ConnectionOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly token: TokenSource;
  readonly language: string | undefined;
  readonly fetch: Fetch;
  readonly policy: RetryPolicy;
}

export interface Question {
  /** Below the base URL. */
  readonly path: string;
  readonly parameters: Parameters;
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
}

export class Connection {
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** What decides about an answer besides who asks. */
  identityOf({ path, parameters }: Question): string {
    const { baseUrl, language } = this.#options;
    return JSON.stringify([baseUrl, path, queryString(parameters), language ?? null]);
  }

  /** Asks until an answer is read to its end, as far as the policy goes; what cuts it `read` tells. */
  async ask<Answer>(
    question: Question,
    read: (response: Response) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const attempt = async () => {
      const response = await this.#answer(question, signal);
      return await read(response);
    };
    return await retrying(attempt, this.#options.policy, signal);
  }

  async #answer(question: Question, signal: AbortSignal | undefined): Promise<Response> {
    const headers = await this.#headers(question);
    signal?.throwIfAborted();
    const response = await this.#send(question, headers, signal);
    // Only who sends a tag is told that it still holds.
    if (response.status === 304) return response;
    if (response.ok) {
      if (isAsAsked(response, question.parameters)) return response;
      throw await foreignAnswer(response);
    }
    if (response.type === 'opaqueredirect' || isRedirect(response)) {
      await response.body?.cancel();
      throw new UnexpectedAnswer(
        'The server sends the question elsewhere: set the base URL to where it does.',
        response.status,
      );
    }
    throw await unlessCut(signal, async () => await this.#refusal(question, response, signal));
  }

  /** Refusals of a HEAD have no body, so their reason is asked for, with one record at the most. */
  async #refusal(question: Question, refused: Response, signal: AbortSignal | undefined) {
    const { method = 'GET', path, parameters } = question;
    if (method === 'GET' || !isProblemType(refused)) return await refusalOf(refused);
    const shortest = { path, parameters: { ...parameters, limit: 1 } };
    const response = await this.#send(shortest, await this.#headers(shortest), signal);
    if (!response.ok) return await refusalOf(response);
    await response.body?.cancel();
    // What was refused for a moment is asked again, by its status.
    return new UnexpectedAnswer('The service refused, and answers by now.', refused.status);
  }

  async #send(
    { path, parameters, method = 'GET' }: Question,
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const asked = queryString(parameters);
    const url = `${this.#options.baseUrl}${path}${asked === '' ? '' : `?${asked}`}`;
    try {
      return await this.#options.fetch(url, {
        method,
        headers,
        // It is not followed, as the token would go with it or be lost.
        redirect: 'manual',
        // A browser's disk outlives whoever signed in, and may keep the token with the answer.
        cache: 'no-store',
        signal: signal ?? null,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw new Unreachable('The service cannot be reached.', { cause: error });
    }
  }

  async #headers({ headers }: Question): Promise<Record<string, string>> {
    const { token, language } = this.#options;
    return {
      authorization: await bearerOf(token),
      ...(language === undefined ? {} : { 'accept-language': language }),
      ...headers,
    };
  }
}

const isRedirect = ({ status }: Response): boolean => status >= 300 && status < 400;

/** Reads of an answer that has begun. */
export async function unlessCut<Value>(
  signal: AbortSignal | undefined,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ClientError) throw error;
    throw new ConnectionCut('The connection was cut before the end of the answer.', {
      cause: error,
    });
  }
}
