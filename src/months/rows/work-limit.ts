/**
 * Limits the blocks that one answer decompresses, so that large answers are left to the engine.
 *
 * It also frees the blocks when the answer ends.
 */

import { freeBuffer } from '../../disk/free-buffer.ts';

/** Bytes that one answer may decompress. Decompression blocks the event loop for about a millisecond per MiB. */
export const MAX_BYTES = 6 * 1024 * 1024;

/** A block, with the most rows that it adds to an answer. */
interface Work {
  readonly rows: number;
  readonly block: { readonly size: number };
}

export class WorkLimit {
  #bytes = MAX_BYTES;
  #rows: number;
  readonly #decompressed: Buffer[] = [];
  isExceeded = false;

  /** For an answer of at most so many rows. */
  constructor(rows = Number.POSITIVE_INFINITY) {
    this.#rows = rows;
  }

  /** Counts a row of the answer. */
  found(): void {
    this.#rows -= 1;
  }

  /** Adds decompressed blocks, which are freed at the end. */
  hold(bytes: Buffer): void {
    this.#decompressed.push(bytes);
  }

  /** Frees the blocks. No row of them may be used any more. */
  free(): void {
    for (const bytes of this.#decompressed.splice(0)) freeBuffer(bytes);
  }

  /**
   * The next blocks: the fewest that can hold the missing rows. None if no blocks are left, or if the
   * limit is exceeded.
   */
  take<Next extends Work>(blocks: Iterator<Next>): readonly Next[] {
    const taken: Next[] = [];
    let missing = this.#rows;
    let bytes = this.#bytes;
    while (missing > 0 && !this.isExceeded) {
      const { done, value } = blocks.next();
      if (done) break;
      taken.push(value);
      missing -= value.rows;
      bytes -= value.block.size;
      this.isExceeded = bytes < 0;
    }
    if (this.isExceeded) return [];
    this.#bytes = bytes;
    return taken;
  }
}
