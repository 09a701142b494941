/** Sorted rows as compressed blocks (zstd) with an index of their first keys. */

import { zstdDecompressSync } from 'node:zlib';
import type { Order } from '../../contract/query/parameters.ts';
import { countBefore, isIn, type KeyRange, type WorkLimit } from './key-range.ts';
import { compareKeys, type RowKey, rowsIn, type StoredRow } from './stored-row.ts';

export interface Block {
  readonly first: RowKey;
  readonly compressed: Buffer;
  /** Bytes of the rows. */
  readonly size: number;
  readonly rows: number;
  /** Rows that are not tombstones. */
  readonly shown: number;
}

/** Room for the decompressor besides the rows: with none left, it asks for a second buffer. */
const SPARE_BYTES = 64;

/** Bytes of memory of a block besides its own, about. */
const BLOCK_OVERHEAD = 300;

export class RowBlocks {
  readonly #blocks: readonly Block[];
  readonly rows: number;
  /** Bytes of memory, about. */
  readonly bytes: number;

  constructor(blocks: readonly Block[]) {
    this.#blocks = blocks;
    this.rows = blocks.reduce((all, { rows }) => all + rows, 0);
    this.bytes = blocks.reduce(
      (all, { compressed }) => all + compressed.length + BLOCK_OVERHEAD,
      0,
    );
  }

  /** The rows of a range in either order; ends early if the work limit is exceeded. */
  *between(range: KeyRange, order: Order, work: WorkLimit): Generator<StoredRow> {
    const [first, last] = this.#touched(range);
    const count = last - first + 1;
    for (let step = 0; step < count; step += 1) {
      if (!work.take()) return;
      const rows = this.#rowsOf(order === 'asc' ? first + step : last - step);
      for (const row of order === 'asc' ? rows : rows.toReversed()) {
        if (isIn(row, range)) yield row;
      }
    }
  }

  /** The number of rows of a range that are not tombstones, mostly from the index alone. */
  countBetween(range: KeyRange, work: WorkLimit): number {
    const [first, last] = this.#touched(range);
    let count = 0;
    for (let index = first; index <= last; index += 1) {
      if (this.#isWithin(index, range)) {
        count += this.#blocks[index]?.shown ?? 0;
        continue;
      }
      if (!work.take()) return count;
      for (const row of this.#rowsOf(index)) count += Number(isIn(row, range) && !row.hasLeft);
    }
    return count;
  }

  /** All rows, without a work limit. */
  *all(): Generator<StoredRow> {
    for (const index of this.#blocks.keys()) yield* this.#rowsOf(index);
  }

  /** The first and the last block that may have rows of a range. */
  #touched({ low, high }: KeyRange): readonly [number, number] {
    const keyAt = (index: number) => this.#blocks[index]?.first ?? high;
    const { length } = this.#blocks;
    const first = countBefore(length, keyAt, low);
    const startsThere = first < length && compareKeys(keyAt(first), low) === 0;
    return [startsThere ? first : Math.max(first - 1, 0), countBefore(length, keyAt, high) - 1];
  }

  #isWithin(index: number, { low, high }: KeyRange): boolean {
    const first = this.#blocks[index]?.first;
    const next = this.#blocks[index + 1]?.first;
    if (first === undefined || next === undefined) return false;
    return compareKeys(first, low) >= 0 && compareKeys(next, high) <= 0;
  }

  #rowsOf(index: number): readonly StoredRow[] {
    const block = this.#blocks[index];
    if (block === undefined) return [];
    const chunkSize = block.size + SPARE_BYTES;
    return rowsIn(zstdDecompressSync(block.compressed, { chunkSize }));
  }
}
