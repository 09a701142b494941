/** Builds compressed blocks from sorted rows. */

import { constants, zstdCompressSync } from 'node:zlib';
import { type Block, RowBlocks } from './row-blocks.ts';
import type { StoredRow } from './stored-row.ts';

/** Bytes after which a block ends, and after which it ends at the next website or program. */
const BLOCK = 48 * 1024;
const BLOCK_OF_OWNER = 20 * 1024;

/** Compressed blocks are packed together: thousands of small buffers would fragment the memory. */
const CHUNK = 1024 * 1024;

const ENCODING = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export class BlockBuilder {
  readonly #packed: Block[] = [];
  #loose: Block[] = [];
  #looseBytes = 0;
  #rows: StoredRow[] = [];
  #size = 0;

  /** Adds a row. Returns whether a block was compressed, which takes a fraction of a millisecond. */
  add(row: StoredRow): boolean {
    const [first] = this.#rows;
    const isFull =
      this.#size >= BLOCK || (this.#size >= BLOCK_OF_OWNER && first?.owner !== row.owner);
    if (isFull) this.#compress();
    this.#rows.push(row);
    this.#size += row.size;
    return isFull;
  }

  finish(): RowBlocks {
    this.#compress();
    this.#pack();
    return new RowBlocks(this.#packed);
  }

  #compress(): void {
    const [first] = this.#rows;
    if (first === undefined) return;
    const bytes = Buffer.allocUnsafe(this.#size);
    let position = 0;
    for (const row of this.#rows) position += row.copyTo(bytes, position);
    const compressed = zstdCompressSync(bytes, ENCODING);
    const shown = this.#rows.filter(({ hasLeft }) => !hasLeft).length;
    const block = { first: first.key(), compressed, size: this.#size, shown };
    this.#loose.push({ ...block, rows: this.#rows.length });
    this.#looseBytes += compressed.length;
    this.#rows = [];
    this.#size = 0;
    if (this.#looseBytes >= CHUNK) this.#pack();
  }

  #pack(): void {
    const chunk = Buffer.allocUnsafeSlow(this.#looseBytes);
    let position = 0;
    for (const block of this.#loose) {
      const start = position;
      position += block.compressed.copy(chunk, start);
      this.#packed.push({ ...block, compressed: chunk.subarray(start, position) });
    }
    this.#loose = [];
    this.#looseBytes = 0;
  }
}
