/** Follows the change feed, and continues after lost connections and restarts of the service. */

import { UnexpectedResponse } from '../errors.ts';
import { linkedParameter } from '../lists/page.ts';
import type { Cancellable } from '../lists/rows.ts';
import type { Change, Role } from '../model.ts';
import { type Connection, readBody } from '../transport/connection.ts';
import type { QueryParameters } from '../transport/query-string.ts';

export interface FollowOptions extends Cancellable {
  /** Ends at the present end of the feed, instead of waiting for further changes. */
  readonly once?: boolean | undefined;
}

/** Changes of one response, if any, and the position after them. */
export interface ChangesPage<Of extends Role> {
  readonly changes: readonly Change<Of>[];
  /** The position. Store it with the changes, so that the feed can continue after them. */
  readonly after: string;
}

/** Seconds that a request waits for changes. Many proxies close a connection after a minute. */
const LONGEST_WAIT = 50;

/**
 * Pages in order. A page has no changes if only the position has moved, by changes of other transactions: a position
 * that stays where it is would expire. Without a position, the first page has only the current position.
 */
export async function* followChanges<Of extends Role>(
  connection: Connection,
  path: string,
  query: QueryParameters,
  { once = false, signal }: FollowOptions,
): AsyncGenerator<ChangesPage<Of>, void> {
  let { after } = query;
  const wait = once ? undefined : connection.waitUpTo(LONGEST_WAIT);
  for (let isFirst = true; ; isFirst = false) {
    const parameters = { ...query, after, wait: after === undefined ? undefined : wait };
    const page = await connection.request(
      { path, parameters },
      async (response) => await pageIn<Of>(response, signal),
      signal,
      // The first request has the usual retries, so that a wrong address fails soon. Later requests are retried until
      // the service is back, unless the caller waits for the end.
      isFirst || once ? {} : { retries: Number.POSITIVE_INFINITY },
    );
    if (page.changes.length > 0 || page.after !== after) yield page;
    if (once && page.changes.length === 0) return;
    after = page.after;
  }
}

async function pageIn<Of extends Role>(
  response: Response,
  signal: AbortSignal | undefined,
): Promise<ChangesPage<Of>> {
  const body = await readBody(signal, async () => await response.json());
  const after = linkedParameter(response.headers.get('link'), 'after');
  // The type comes from the OpenAPI document, and tests hold the service to it.
  if (after !== undefined) return { changes: body as readonly Change<Of>[], after };
  throw new UnexpectedResponse(
    'The response came without the header Link. Check that no proxy in front of the service removes it.',
    response.status,
  );
}
