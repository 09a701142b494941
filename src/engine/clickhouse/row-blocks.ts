/** Cuts a stream of bytes into blocks of whole rows. */

import { freeBuffer } from '../../disk/free-buffer.ts';
import type { RowBoundaries } from '../../plan/sql.ts';
import { completeFramesEnd } from '../framing.ts';

/** Bytes of the first block, unless a single row is longer. It is small, so that it comes early. */
const FIRST_BLOCK_SIZE = 512 * 1024;
/** Bytes of the later blocks: a few large writes cost less than many small ones. */
const BLOCK_SIZE = 2048 * 1024;

/** Frees the chunks. Each block has its own memory. */
export async function* blocksOfWholeRows(
  chunks: AsyncIterable<Buffer>,
  boundaries: RowBoundaries,
): AsyncGenerator<Buffer> {
  let block = Buffer.allocUnsafeSlow(FIRST_BLOCK_SIZE);
  let filled = 0;
  for await (const chunk of chunks) {
    if (filled + chunk.length > block.length) {
      const cut = wholeRowsEnd(block.subarray(0, filled), boundaries);
      const rest = filled - cut;
      const next = Buffer.allocUnsafeSlow(Math.max(BLOCK_SIZE, 2 * (rest + chunk.length)));
      block.copy(next, 0, cut, filled);
      if (cut > 0) yield block.subarray(0, cut);
      block = next;
      filled = rest;
    }
    chunk.copy(block, filled);
    filled += chunk.length;
    freeBuffer(chunk);
  }
  if (filled > 0) yield block.subarray(0, filled);
}

/** Where the whole rows end. Without frames, nothing shows whether the last row is complete, so it is left out. */
const wholeRowsEnd = (bytes: Buffer, boundaries: RowBoundaries): number =>
  boundaries === 'framed'
    ? completeFramesEnd(bytes)
    : Math.max(bytes.lastIndexOf(boundaries.lead), 0);
