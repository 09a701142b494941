/** Builds compressed blocks from sorted rows. */

import type { Block } from './block.ts';
import { targetSize, zstdFrameEncoder } from './frame-encoder.ts';
import { OwnerIndexBuilder, type Owners } from './owner-index.ts';
import { RowBlocks } from './row-blocks.ts';
import { type RowKey, StoredRow } from './stored-row.ts';

/** Bytes at which a block ends. */
const BLOCK = 32 * 1024;

/** Bytes at which a block ends if the next row is of another website. */
const BLOCK_OF_OWNER = 12 * 1024;

/** Like `BLOCK`, for rows sorted by time. Smaller, because a list of one program needs few rows of a block. */
const BLOCK_BY_TIME = 24 * 1024;

/** Bytes of memory for many compressed blocks: thousands of small buffers would fragment the memory. */
const CHUNK = 1024 * 1024;

/** A compressed block of more bytes has memory of its own, so that the rest of a chunk is not wasted. */
const LARGE = CHUNK / 8;

const encodeFrame = zstdFrameEncoder();

export class BlockBuilder {
  readonly #blocks: Block[] = [];
  /** The memory into which a block is compressed. */
  #frame = Buffer.allocUnsafeSlow(targetSize(2 * BLOCK));
  /** The memory of the last compressed blocks, and how much of it is used. */
  #chunk = Buffer.allocUnsafeSlow(0);
  #chunkSize = 0;
  #compressedBytes = 0;
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
    return this.#compressedBytes;
  }

  finish(): RowBlocks {
    this.#compress();
    this.#trimChunk();
    return new RowBlocks(this.#blocks, this.#ownersOf && this.#owners.finish());
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
    const needed = targetSize(this.#size);
    if (this.#frame.length < needed) this.#frame = Buffer.allocUnsafeSlow(needed);
    const length = encodeFrame(this.#bytes.subarray(0, this.#size), this.#frame);
    this.#blocks.push({
      first: this.#first,
      last: new StoredRow(this.#bytes, this.#lastStart).key(),
      compressed: this.#keep(this.#frame.subarray(0, length)),
      size: this.#size,
      rows: this.#rows,
      position: this.#position,
    });
    this.#first = undefined;
    this.#size = 0;
    this.#position += this.#rows;
    this.#rows = 0;
  }

  /** A copy of a compressed block, in the chunk unless it is large. */
  #keep(compressed: Buffer): Buffer {
    this.#compressedBytes += compressed.length;
    if (compressed.length > LARGE) return Buffer.from(compressed);
    if (this.#chunkSize + compressed.length > this.#chunk.length) {
      this.#chunk = Buffer.allocUnsafeSlow(CHUNK);
      this.#chunkSize = 0;
    }
    const start = this.#chunkSize;
    this.#chunkSize += compressed.copy(this.#chunk, start);
    return this.#chunk.subarray(start, this.#chunkSize);
  }

  /** Moves the blocks of the last chunk to memory of their size. */
  #trimChunk(): void {
    const trimmed = Buffer.allocUnsafeSlow(this.#chunkSize);
    this.#chunk.copy(trimmed);
    for (const [at, block] of this.#blocks.entries()) {
      const { buffer, byteOffset, length } = block.compressed;
      if (buffer !== this.#chunk.buffer) continue;
      const compressed = trimmed.subarray(byteOffset, byteOffset + length);
      this.#blocks[at] = { ...block, compressed };
    }
  }
}
