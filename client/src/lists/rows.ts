/** Iterates over the rows of a list, page by page or from one stream. */

import { MAX_PAGE_SIZE } from '../contract.ts';
import { chunksOf } from '../transport/chunks.ts';
import { type ApiRequest, type Connection, readBody } from '../transport/connection.ts';
import { parseLineStream, parseLines } from './lines.ts';
import { pagesOf } from './pages.ts';

/** Options of requests that can be cancelled. A cancelled request throws the signal's reason. */
export interface Cancellable {
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends Cancellable {
  /**
   * Requests one response instead of pages, which is about twice as fast. But a closed connection ends the list
   * with a `ConnectionCut`, and the service waits at most five minutes for a slow reader.
   */
  readonly stream?: boolean | undefined;
  /** Rows per request, 1 to 10,000. */
  readonly pageSize?: number | undefined;
}

/** Options of a list that is read in pages. Only such a list can be sorted by a field. */
export interface PagedListOptions extends ListOptions {
  readonly stream?: false | undefined;
}

/** The rows in the requested order. A row comes once, unless the value that sorts it changes meanwhile. */
export const rowsOf = (
  connection: Connection,
  request: ApiRequest,
  { stream = false, pageSize = MAX_PAGE_SIZE, signal }: ListOptions,
): AsyncGenerator<unknown, void> => {
  const asked = { ...request, parameters: { ...request.parameters, format: 'ndjson' } };
  if (stream) return rowsFromStream(connection, asked, signal);
  const paged = { ...asked, parameters: { ...asked.parameters, limit: pageSize } };
  return rowsByPages(connection, paged, signal);
};

async function* rowsByPages(
  connection: Connection,
  request: ApiRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void> {
  const decoder = new TextDecoder();
  for await (const { bytes } of pagesOf(connection, request, undefined, signal)) {
    for (const value of parseLines(decoder.decode(bytes))) {
      signal?.throwIfAborted();
      yield value;
    }
  }
}

async function* rowsFromStream(
  connection: Connection,
  request: ApiRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void> {
  const response = await connection.request(request, async (open) => open, signal);
  const values = parseLineStream(chunksOf(response.body));
  try {
    for (;;) {
      const next = await readBody(signal, async () => await values.next());
      if (next.done) return;
      // After an abort, the rows that are left in the latest chunk are not returned.
      signal?.throwIfAborted();
      yield next.value;
    }
  } finally {
    await values.return(undefined);
  }
}
