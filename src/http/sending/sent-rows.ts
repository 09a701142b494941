/** Counts the records of a response for the audit log, as far as they were sent. */

import type { FastifyReply } from 'fastify';
import { linesIn } from '../../engine/row-count.ts';

/** Sets the count to 0; returns a function that adds a number of records to it. */
export function rowCounterOf({ request }: FastifyReply): (rows: number) => void {
  request.sentRows = 0;
  return (rows) => {
    request.sentRows = (request.sentRows ?? 0) + rows;
  };
}

/** Counts groups or entries of the directory by their lines. So a line break in a value of CSV is counted too. */
export async function* countedLines(
  blocks: AsyncIterable<Uint8Array>,
  reply: FastifyReply,
): AsyncGenerator<Uint8Array> {
  const onRows = rowCounterOf(reply);
  for await (const block of blocks) {
    onRows(linesIn(block));
    yield block;
  }
}
