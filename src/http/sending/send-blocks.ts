/** Sends blocks of bytes as they come, at the pace of the reader. */

import type { ServerResponse } from 'node:http';

/** What is sent after the headers. */
export interface Body {
  readonly blocks: AsyncIterable<Uint8Array>;
  readonly end: string;
  /** What becomes of a block that was sent. */
  readonly giveBack?: (block: Uint8Array) => void;
}

/**
 * Writes all blocks and the end, or cuts the connection.
 *
 * A body whose source fails is never ended, so no client takes it for a whole one. A reader that
 * takes nothing for `stallTimeout` milliseconds is cut as well. Returns the bytes of the body that
 * were written.
 */
export async function sendBlocks(
  response: ServerResponse,
  { blocks, end, giveBack }: Body,
  stallTimeout: number,
): Promise<number> {
  let bytes = 0;
  response.once('timeout', () => cut(response));
  try {
    for await (const block of blocks) {
      if (response.destroyed) break;
      bytes += block.length;
      const isTaken = response.write(block, () => giveBack?.(block));
      if (!isTaken) await drained(response, stallTimeout);
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

/** Waits until the reader has taken what was written, or has left. */
async function drained(response: ServerResponse, stallTimeout: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  // Node's own timer sees progress within a large write, which `drain` does not tell.
  response.setTimeout(stallTimeout);
  await promise;
  response.setTimeout(0).off('drain', resolve).off('close', resolve);
}
