/** Gathers bytes in blocks that are cut where rows begin, so that every block holds whole rows. */

import { freeBuffer } from '../../disk/free-buffer.ts';
import type { RowBoundaries } from '../../plan/sql.ts';
import { wholeFrames } from '../framing.ts';

/** Bytes that the first block holds, unless a single row has more: it comes early. */
const FIRST_BLOCK = 512 * 1024;
/** The most that those after it hold: few large writes cost less than many small ones. */
const BLOCK = 2048 * 1024;

/** Blocks of whole rows; the chunks are used up, and each block has its memory to itself. */
export async function* wholeRows(
  chunks: AsyncIterable<Buffer>,
  marks: RowBoundaries,
): AsyncGenerator<Buffer> {
  let block = Buffer.allocUnsafeSlow(FIRST_BLOCK);
  let filled = 0;
  for await (const chunk of chunks) {
    if (filled + chunk.length > block.length) {
      const cut = wholeIn(block.subarray(0, filled), marks);
      const rest = filled - cut;
      const next = Buffer.allocUnsafeSlow(Math.max(BLOCK, 2 * (rest + chunk.length)));
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

/** The bytes before the last row, which may go on. */
const wholeIn = (bytes: Buffer, marks: RowBoundaries): number =>
  marks === 'framed' ? wholeFrames(bytes) : Math.max(bytes.lastIndexOf(marks.lead), 0);
