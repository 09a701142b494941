/** The client: one service, asked as one asker. */

import type { Download, DownloadOptions } from './download.ts';
import type { Stoppable } from './lists/rows.ts';
import type { Me } from './model.ts';
import { askForJson, type Transactions, transactionsOf } from './transactions.ts';
import { Connection, type Fetch } from './transport/connection.ts';
import type { Retry } from './transport/retry.ts';
import type { TokenSource } from './transport/token.ts';

export interface ClientOptions {
  /** Where the service is, such as `https://reports.example` or `https://example.com/reports`. */
  readonly baseUrl: string | URL;
  /** An access token, or a function that gives one before each request. */
  readonly token: TokenSource;
  /** The language of status labels where the token has none, such as `en`. */
  readonly language?: string | undefined;
  /** How often a question is asked again that was cut or refused for now; 4 where it is not given. */
  readonly retries?: number | undefined;
  /** Seconds that are waited at most when the service says `Retry-After`; 120 where it is not given. */
  readonly longestWait?: number | undefined;
  /** Told before a question is asked again, for a log. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

export interface Client<Target, Options extends DownloadOptions> {
  /** For tokens of the role admin. */
  readonly admin: { readonly transactions: Transactions<'admin', Target, Options> };
  /** For tokens of the role affiliate. */
  readonly affiliate: { readonly transactions: Transactions<'affiliate', Target, Options> };
  /** What the token may read, and what is left of its limits. */
  me(options?: Stoppable): Promise<Me>;
}

/** A client whose downloads go to a kind of target. */
export function clientWith<Target, Options extends DownloadOptions>(
  options: ClientOptions,
  download: Download<Target, Options>,
  noOptions: Options,
): Client<Target, Options> {
  const connection = connectionOf(options);
  return {
    admin: { transactions: transactionsOf(connection, 'admin', download, noOptions) },
    affiliate: { transactions: transactionsOf(connection, 'affiliate', download, noOptions) },
    // The service answers as its document says, from which the type is made.
    me: async (options = {}) =>
      (await askForJson(connection, { path: '/api/me', parameters: {} }, options)) as Me,
  };
}

function connectionOf(options: ClientOptions): Connection {
  const { token, language, retries = 4, longestWait = 120, onRetry = () => undefined } = options;
  return new Connection({
    baseUrl: baseUrlOf(options.baseUrl),
    token,
    language,
    // Called as a function of its own: browsers refuse it as a method of anything else.
    fetch: options.fetch ?? (async (url, init) => await globalThis.fetch(url, init)),
    policy: { retries, longestWait, onRetry },
  });
}

/** Without what does not belong into it, which errors of `fetch` would show. */
function baseUrlOf(given: string | URL): string {
  const { protocol, username, password, search, hash, origin, pathname } = new URL(given);
  if (!/^https?:$/.test(protocol) || username || password || search || hash) {
    throw new TypeError(
      'The base URL must be http or https, without credentials, query or fragment.',
    );
  }
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
