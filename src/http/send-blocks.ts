/** Sends blocks of bytes as they come, at the pace of the reader. */

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/**
 * Writes all blocks and the end, or cuts the connection.
 *
 * A body whose source fails is never ended, so no client takes it for a whole one. Returns the
 * bytes of the body that were written.
 */
export async function sendBlocks(
  response: ServerResponse,
  blocks: AsyncIterable<Uint8Array>,
  end: string,
): Promise<number> {
  let bytes = 0;
  try {
    for await (const block of blocks) {
      if (response.destroyed) break;
      bytes += block.length;
      if (!response.write(block)) await drained(response);
    }
    if (!response.destroyed) response.end(end);
    return bytes + end.length;
  } catch (error) {
    cut(response);
    throw error;
  }
}

/** Resets the connection: to the client it is an error even where the body has no stated length. */
export function cut(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
  response.destroy();
}

async function drained(response: ServerResponse): Promise<void> {
  const left = new AbortController();
  const closed = once(response, 'close', { signal: left.signal });
  const drain = once(response, 'drain', { signal: left.signal });
  try {
    await Promise.race([drain, closed]);
  } finally {
    left.abort();
    await Promise.allSettled([drain, closed]);
  }
}
