/** Gathers bytes in blocks that are cut where rows begin, so that every block holds whole rows. */

import { release } from '../release.ts';

/** Bytes that the first block holds, unless a single row has more: it comes early. */
const FIRST_BLOCK = 512 * 1024;
/** The most that those after it hold: few large writes cost less than many small ones. */
const BLOCK = 2048 * 1024;

/**
 * Blocks that each begin with `lead` and end before the next one; no row contains it elsewhere.
 *
 * The chunks are used up. Each block has its memory to itself.
 */
export async function* wholeRows(
  chunks: AsyncIterable<Buffer>,
  lead: string,
): AsyncGenerator<Buffer> {
  let block = Buffer.allocUnsafeSlow(FIRST_BLOCK);
  let filled = 0;
  for await (const chunk of chunks) {
    if (filled + chunk.length > block.length) {
      const cut = Math.max(block.subarray(0, filled).lastIndexOf(lead), 0);
      const rest = filled - cut;
      const next = Buffer.allocUnsafeSlow(Math.max(BLOCK, 2 * (rest + chunk.length)));
      block.copy(next, 0, cut, filled);
      if (cut > 0) yield block.subarray(0, cut);
      block = next;
      filled = rest;
    }
    chunk.copy(block, filled);
    filled += chunk.length;
    release(chunk);
  }
  if (filled > 0) yield block.subarray(0, filled);
}
