/** HTTP requests to the service: headers, retries, and an error class for each kind of failure. */

import { ClientError, ConnectionCut, UnexpectedResponse, Unreachable } from '../errors.ts';
import { hasRequestedFormat } from './media-types.ts';
import { errorOf, isProblemType, unexpectedResponse } from './problem-response.ts';
import { type QueryParameters, queryString } from './query-string.ts';
import { type RequestRetries, type Retry, type RetryPolicy, withRetries } from './retry.ts';
import { withStartTimeout } from './timeout.ts';
import { authorizationOf, type TokenSource } from './token.ts';

type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';

/** The part of `fetch` that the client needs. */
export type Fetch = (
  url: string,
  init: {
    readonly method: Method;
    readonly headers: Record<string, string>;
    readonly redirect: 'manual';
    readonly cache: 'no-store';
    readonly signal: AbortSignal | null;
  },
) => Promise<Response>;

/** What is known of a response when it begins. */
export interface ResponseStart {
  readonly status: number;
  /** The id of the request in the log of the service; null if a proxy removes it. */
  readonly requestId: string | null;
  /** All headers, among them `RateLimit` and `RateLimit-Policy`. */
  readonly headers: Headers;
}

export interface ConnectionOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: TokenSource;
  readonly language: string | undefined;
  readonly fetch: Fetch;
  readonly policy: RetryPolicy;
  /** Seconds within which a response must begin, after the wait that the request asks for. */
  readonly timeout: number | undefined;
  readonly onResponse: (response: ResponseStart) => void;
}

export interface ApiRequest {
  /** Relative to the base URL. */
  readonly path: string;
  readonly parameters: QueryParameters;
  readonly method?: Method;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Connection {
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Key of a request: its URL and language. Requests that differ only in their token have the same key. */
  keyOf({ path, parameters }: ApiRequest): string {
    const { baseUrl, language } = this.#options;
    return JSON.stringify([baseUrl, path, queryString(parameters), language ?? null]);
  }

  /** Seconds that a request may ask the service to wait: at most half the timeout, so that failures are noticed soon. */
  waitUpTo(longest: number): number {
    const { timeout = Number.POSITIVE_INFINITY } = this.#options;
    return Math.max(1, Math.min(longest, Math.floor(timeout / 2)));
  }

  /**
   * Sends a request and returns what `read` makes of the response. Retries as the policy says if the
   * request or `read` fails.
   */
  async request<Result>(
    request: ApiRequest,
    read: (response: Response) => Promise<Result>,
    signal: AbortSignal | undefined,
    changed: RequestRetries = {},
  ): Promise<Result> {
    const { policy } = this.#options;
    const attempt = async () => {
      const response = await this.#fetch(request, signal);
      return await read(response);
    };
    const onRetry = (retry: Retry) => {
      changed.onRetry?.(retry);
      policy.onRetry(retry);
    };
    return await withRetries(attempt, { ...policy, ...changed, onRetry }, signal);
  }

  async #fetch(request: ApiRequest, signal: AbortSignal | undefined): Promise<Response> {
    const headers = await this.#headers(request);
    signal?.throwIfAborted();
    const response = await this.#send(request, headers, signal);
    // Only a request with the header If-None-Match gets this status.
    if (response.status === 304) return response;
    if (response.ok) {
      if (hasRequestedFormat(response, request.parameters)) return response;
      throw await unexpectedResponse(response);
    }
    if (response.type === 'opaqueredirect' || isRedirect(response)) {
      await response.body?.cancel();
      throw new UnexpectedResponse(
        'The server redirects the request: set the base URL to the target of the redirect.',
        response.status,
      );
    }
    throw await readBody(signal, async () => await this.#errorOf(request, response, signal));
  }

  /** A response to HEAD has no body, so a GET of at most one record fetches the problem. */
  async #errorOf(request: ApiRequest, refused: Response, signal: AbortSignal | undefined) {
    const { method = 'GET', path, parameters } = request;
    if (method !== 'HEAD' || !isProblemType(refused)) return await errorOf(refused);
    const shortest = { path, parameters: { ...parameters, limit: 1 } };
    const response = await this.#send(shortest, await this.#headers(shortest), signal);
    if (!response.ok) return await errorOf(response);
    await response.body?.cancel();
    // The status decides whether the HEAD is retried.
    return new UnexpectedResponse(
      'The service refused the request, but accepted it when the client repeated it.',
      refused.status,
    );
  }

  async #send(
    { path, parameters, method = 'GET' }: ApiRequest,
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const asked = queryString(parameters);
    const url = `${this.#options.baseUrl}${path}${asked === '' ? '' : `?${asked}`}`;
    const { timeout, fetch, onResponse } = this.#options;
    const limit = timeout === undefined ? undefined : timeout + Number(parameters.wait ?? 0);
    const response = await withStartTimeout(limit, signal, async (either) => {
      return await fetch(url, {
        method,
        headers,
        // Following a redirect would either drop the token or leak it.
        redirect: 'manual',
        // The disk cache of a browser could keep the response and the token.
        cache: 'no-store',
        signal: either,
      });
    }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw new Unreachable('The service cannot be reached.', { cause: error });
    });
    const { status } = response;
    onResponse({
      status,
      requestId: response.headers.get('x-request-id'),
      headers: response.headers,
    });
    return response;
  }

  async #headers({ headers }: ApiRequest): Promise<Record<string, string>> {
    const { token, language } = this.#options;
    return {
      authorization: await authorizationOf(token),
      ...(language === undefined ? {} : { 'accept-language': language }),
      ...headers,
    };
  }
}

const isRedirect = ({ status }: Response): boolean => status >= 300 && status < 400;

/** Reads from a body. Turns a failure of the connection into a ConnectionCut. */
export async function readBody<Value>(
  signal: AbortSignal | undefined,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ClientError) throw error;
    throw new ConnectionCut('The connection closed before the response was complete.', {
      cause: error,
    });
  }
}
