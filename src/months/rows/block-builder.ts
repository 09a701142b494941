/** Builds compressed blocks from sorted rows. */

import { constants, zstdCompressSync } from 'node:zlib';
import type { Block } from './block.ts';
import { OwnerIndexBuilder, type Owners } from './owner-index.ts';
import { RowBlocks } from './row-blocks.ts';
import { type RowKey, StoredRow } from './stored-row.ts';

/** Bytes at which a block ends. */
const BLOCK = 32 * 1024;

/** Bytes at which a block ends if the next row is of another website. */
const BLOCK_OF_OWNER = 12 * 1024;

/** Like `BLOCK`, for rows sorted by time. Smaller, because a list of one program needs few rows of a block. */
const BLOCK_BY_TIME = 24 * 1024;

/** Bytes of compressed blocks that are packed together: thousands of small buffers would fragment the memory. */
const CHUNK = 1024 * 1024;

const ENCODING = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export class BlockBuilder {
  readonly #packed: Block[] = [];
  #loose: Block[] = [];
  #looseBytes = 0;
  #packedBytes = 0;
  /** The rows of the next block: copies, so that the caller can free the rows that it has added. */
  #bytes = Buffer.allocUnsafeSlow(2 * BLOCK);
  #size = 0;
  #rows = 0;
  /** The number of rows in the blocks before the next one. */
  #position = 0;
  #first: RowKey | undefined;
  /** Where the last row of the next block starts. */
  #lastStart = 0;
  readonly #ownersOf: ((row: StoredRow) => Owners) | undefined;
  readonly #owners = new OwnerIndexBuilder();
  readonly #most: number;

  /** With `ownersOf`, also indexes the rows by program and publisher. */
  constructor(ownersOf?: (row: StoredRow) => Owners) {
    this.#ownersOf = ownersOf;
    this.#most = ownersOf === undefined ? BLOCK : BLOCK_BY_TIME;
  }

  /** Adds a copy of a row. Returns whether a block was compressed, which takes a fraction of a millisecond. */
  add(row: StoredRow): boolean {
    const isFull =
      this.#size >= this.#most ||
      (this.#size >= BLOCK_OF_OWNER && this.#first?.owner !== row.owner);
    if (isFull) this.#compress();
    this.#reserve(row.size);
    this.#first ??= row.key();
    this.#lastStart = this.#size;
    this.#size += row.copyTo(this.#bytes, this.#size);
    this.#rows += 1;
    if (this.#ownersOf !== undefined) this.#owners.add(this.#ownersOf(row));
    return isFull;
  }

  /** Bytes of the compressed blocks, without the index. */
  get bytes(): number {
    return this.#packedBytes + this.#looseBytes;
  }

  finish(): RowBlocks {
    this.#compress();
    this.#pack();
    return new RowBlocks(this.#packed, this.#ownersOf && this.#owners.finish());
  }

  #reserve(more: number): void {
    const needed = this.#size + more;
    if (needed <= this.#bytes.length) return;
    const longer = Buffer.allocUnsafeSlow(2 * needed);
    this.#bytes.copy(longer, 0, 0, this.#size);
    this.#bytes = longer;
  }

  #compress(): void {
    if (this.#first === undefined) return;
    const compressed = zstdCompressSync(this.#bytes.subarray(0, this.#size), ENCODING);
    this.#loose.push({
      first: this.#first,
      last: new StoredRow(this.#bytes, this.#lastStart).key(),
      compressed,
      size: this.#size,
      rows: this.#rows,
      position: this.#position,
    });
    this.#looseBytes += compressed.length;
    this.#first = undefined;
    this.#size = 0;
    this.#position += this.#rows;
    this.#rows = 0;
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
    this.#packedBytes += this.#looseBytes;
    this.#looseBytes = 0;
  }
}
