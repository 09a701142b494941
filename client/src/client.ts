/** Client of one service with one access token. */

import { type Directory, directoryOf } from './directory.ts';
import type { Download, DownloadOptions } from './download.ts';
import type { Cancellable } from './lists/rows.ts';
import type { Me, Role, SignIn } from './model.ts';
import { type PerformanceEndpoint, performanceOf } from './performance.ts';
import { requestJson } from './request-json.ts';
import { type Tokens, tokensOf } from './tokens.ts';
import { type Transactions, transactionsOf } from './transactions.ts';
import { Connection, type Fetch, type ResponseStart } from './transport/connection.ts';
import { NO_RETRIES, type Retry } from './transport/retry.ts';
import type { TokenSource } from './transport/token.ts';
import { type Webhooks, webhooksOf } from './webhooks.ts';

export interface ClientOptions {
  /** The address of the service, such as `https://reports.example` or `https://example.com/reports`. */
  readonly baseUrl: string | URL;
  /** An access token, or a function that returns one before each request. */
  readonly token: TokenSource;
  /** The language of status labels for tokens without a language, such as `en`. */
  readonly language?: string | undefined;
  /** The maximum number of retries of a request; default 4. */
  readonly retries?: number | undefined;
  /** The longest wait before a retry in seconds; default 120. A longer `Retry-After` throws at once. */
  readonly longestWait?: number | undefined;
  /**
   * Seconds within which a response must begin. Otherwise the request is retried. Requests for changes have this
   * time after their wait. Default: the limit of `fetch`.
   */
  readonly timeout?: number | undefined;
  /** Called when a response begins, for a log of request ids and limits. */
  readonly onResponse?: ((response: ResponseStart) => void) | undefined;
  /** Called before each retry, for a log. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

export interface Client<Target, Options extends DownloadOptions> {
  /** The endpoints for tokens of the role admin. */
  readonly admin: Endpoints<'admin', Target, Options> & {
    /** Access tokens that the client's token manages. */
    readonly tokens: Tokens;
    /** Webhooks that the client's token manages. */
    readonly webhooks: Webhooks;
  };
  /** The endpoints for tokens of the role affiliate. */
  readonly affiliate: Endpoints<'affiliate', Target, Options>;
  /** What the token may read, and what remains of its limits. */
  me(options?: Cancellable): Promise<Me>;
  /**
   * Exchanges the code of a sign-in link for its token. Create the client with the code as its `token`.
   * A code works once, so the client does not retry this request.
   */
  exchangeCode(options?: Cancellable): Promise<SignIn>;
}

/** The endpoints of one role. */
export interface Endpoints<Of extends Role, Target, Options extends DownloadOptions>
  extends Directory {
  readonly transactions: Transactions<Of, Target, Options>;
  /** Measures and ratios by group. */
  readonly performance: PerformanceEndpoint<Of>;
}

/** Creates a client for one kind of download target: streams or files. */
export function clientWith<Target, Options extends DownloadOptions>(
  options: ClientOptions,
  download: Download<Target, Options>,
  noOptions: Options,
): Client<Target, Options> {
  const connection = connectionOf(options);
  const endpointsOf = <Of extends Role>(role: Of): Endpoints<Of, Target, Options> => ({
    transactions: transactionsOf(connection, role, download, noOptions),
    performance: performanceOf(connection, role),
    ...directoryOf(connection, role),
  });
  return {
    admin: {
      ...endpointsOf('admin'),
      tokens: tokensOf(connection),
      webhooks: webhooksOf(connection),
    },
    affiliate: endpointsOf('affiliate'),
    me: async (options = {}) =>
      await requestJson(connection, { path: '/api/me', parameters: {} }, options),
    exchangeCode: async (options = {}) =>
      await requestJson(
        connection,
        { path: '/api/sign-in', method: 'POST', parameters: {} },
        options,
        NO_RETRIES,
      ),
  };
}

function connectionOf(options: ClientOptions): Connection {
  const { token, language, retries = 4, longestWait = 120, timeout } = options;
  const { onRetry = () => undefined, onResponse = () => undefined } = options;
  refuseMissing(token);
  return new Connection({
    baseUrl: baseUrlOf(options.baseUrl),
    token,
    language,
    // Browsers throw when fetch is called as a method of another object.
    fetch: options.fetch ?? (async (url, init) => await globalThis.fetch(url, init)),
    policy: { retries, longestWait, onRetry },
    timeout,
    onResponse,
  });
}

/** Checks the token at run time, because JavaScript code often passes an environment variable that is not set. */
function refuseMissing(token: unknown): void {
  if (typeof token === 'function' || (typeof token === 'string' && token !== '')) return;
  throw new TypeError('Set token to an access token, or to a function that returns one.');
}

/** Refuses credentials in the URL, which error messages of `fetch` would show. */
function baseUrlOf(given: string | URL): string {
  if (!URL.canParse(given)) {
    throw new TypeError(
      'Set baseUrl to the address of the service, such as https://reports.example.',
    );
  }
  const { protocol, username, password, search, hash, origin, pathname } = new URL(given);
  if (!/^https?:$/.test(protocol) || username || password || search || hash) {
    throw new TypeError(
      'The base URL must be http or https, without credentials, query or fragment.',
    );
  }
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
