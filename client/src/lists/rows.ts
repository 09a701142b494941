/** The rows of a list, one by one. */

import { MAX_PAGE_SIZE } from '../contract.ts';
import { chunksOf } from '../transport/chunks.ts';
import { type Connection, type Question, unlessCut } from '../transport/connection.ts';
import { valuesFrom, valuesOf } from './lines.ts';
import { pagesOf } from './pages.ts';

/** Stops what it is given to when it is aborted; the reason of its signal is thrown. */
export interface Stoppable {
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends Stoppable {
  /**
   * One answer instead of pages: about twice as fast, but a connection that is cut ends it with a
   * `ConnectionCut`, and the service waits for a slow reader no longer than five minutes.
   */
  readonly stream?: boolean | undefined;
  /** Rows that are asked for at a time, 1 to 10,000. */
  readonly pageSize?: number | undefined;
}

/** The rows in the order of their date: each once, where that date does not change meanwhile. */
export const rowsOf = (
  connection: Connection,
  question: Question,
  { stream = false, pageSize = MAX_PAGE_SIZE, signal }: ListOptions,
): AsyncGenerator<unknown, void> => {
  const asked = { ...question, parameters: { ...question.parameters, format: 'ndjson' } };
  if (stream) return streamed(connection, asked, signal);
  const paged = { ...asked, parameters: { ...asked.parameters, limit: pageSize } };
  return byPages(connection, paged, signal);
};

async function* byPages(
  connection: Connection,
  question: Question,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void> {
  const decoder = new TextDecoder();
  for await (const { bytes } of pagesOf(connection, question, undefined, signal)) {
    for (const value of valuesOf(decoder.decode(bytes))) {
      signal?.throwIfAborted();
      yield value;
    }
  }
}

async function* streamed(
  connection: Connection,
  question: Question,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void> {
  const response = await connection.ask(question, async (answer) => answer, signal);
  const values = valuesFrom(chunksOf(response.body));
  try {
    for (;;) {
      const next = await unlessCut(signal, async () => await values.next());
      if (next.done) return;
      // Rows that came with the last chunk are not given either.
      signal?.throwIfAborted();
      yield next.value;
    }
  } finally {
    await values.return(undefined);
  }
}
