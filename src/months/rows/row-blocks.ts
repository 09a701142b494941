/** Sorted rows as compressed blocks (zstd) with an index of their first keys. */

import { zstdDecompressSync } from 'node:zlib';
import type { Order } from '../../contract/query/parameters.ts';
import { countBefore, isIn, type KeyRange } from './key-range.ts';
import type { IsSelectedAt, OwnerIndex, OwnerScopes } from './owner-index.ts';
import { compareKeys, type RowKey, rowsIn, type StoredRow } from './stored-row.ts';
import type { WorkLimit } from './work-limit.ts';

export interface Block {
  readonly first: RowKey;
  readonly compressed: Buffer;
  /** Bytes of the rows. */
  readonly size: number;
  readonly rows: number;
  /** The number of rows before it. */
  readonly position: number;
}

/** What is wanted of the rows of a range. */
export interface WantedRows {
  readonly range: KeyRange;
  /** Only the rows of these programs and publishers. */
  readonly owners?: OwnerScopes | undefined;
  /** Blocks of which all rows are wanted, whatever their program and publisher. */
  readonly whole?: ReadonlySet<number>;
}

/** A block with wanted rows. */
interface FoundBlock {
  readonly index: number;
  readonly block: Block;
  /** The most rows that it adds. */
  readonly rows: number;
  /** Undefined if all of its rows are wanted. */
  readonly isWanted: IsSelectedAt | undefined;
}

/** Room for the decompressor besides the rows: with none left, it asks for a second buffer. */
const SPARE_BYTES = 64;

/** Bytes of memory of a block besides its own, about. */
const BLOCK_OVERHEAD = 300;

export class RowBlocks {
  readonly #blocks: readonly Block[];
  readonly #owners: OwnerIndex | undefined;
  readonly rows: number;
  /** Bytes of memory, about. */
  readonly bytes: number;

  constructor(blocks: readonly Block[], owners?: OwnerIndex) {
    this.#blocks = blocks;
    this.#owners = owners;
    this.rows = blocks.reduce((all, { rows }) => all + rows, 0);
    this.bytes = blocks.reduce(
      (all, { compressed }) => all + compressed.length + BLOCK_OVERHEAD,
      owners?.bytes ?? 0,
    );
  }

  /** The wanted rows in either order; ends early if the work limit is exceeded. */
  *between(wanted: WantedRows, order: Order, work: WorkLimit): Generator<StoredRow> {
    const found = this.#found(wanted, order);
    for (let next = work.take(found); next.length > 0; next = work.take(found)) {
      for (const row of rowsOf(next, order, work)) if (isIn(row, wanted.range)) yield row;
    }
  }

  /** The number of wanted rows, from the index where it tells them. */
  countBetween(wanted: WantedRows, work: WorkLimit): number {
    let count = 0;
    const partial: FoundBlock[] = [];
    for (const found of this.#found(wanted, 'asc')) {
      if (this.#isWithin(found.index, wanted.range)) count += found.rows;
      else partial.push(found);
    }
    const read = work.take(partial.values());
    for (const row of rowsOf(read, 'asc', work)) count += Number(isIn(row, wanted.range));
    return count;
  }

  /** All rows, without a work limit. */
  *all(): Generator<StoredRow> {
    for (const block of this.#blocks) yield* rowsIn(decompressed([block]));
  }

  /** The block that has the row of a key, if there is one. */
  indexOf(key: RowKey): number {
    const index = this.#countBefore(key);
    const first = this.#blocks[index]?.first;
    const startsThere = first !== undefined && compareKeys(first, key) === 0;
    return startsThere ? index : Math.max(index - 1, 0);
  }

  /** The number of blocks that begin before a key. */
  #countBefore(key: RowKey): number {
    return countBefore(this.#blocks.length, (index) => this.#blocks[index]?.first ?? key, key);
  }

  /** The blocks with rows that may be wanted. */
  *#found({ range, owners, whole }: WantedRows, order: Order): Generator<FoundBlock> {
    const isSelected = owners && this.#owners?.selection(owners);
    const first = this.indexOf(range.low);
    const count = this.#countBefore(range.high) - first;
    for (let step = 0; step < count; step += 1) {
      const index = first + (order === 'asc' ? step : count - 1 - step);
      const block = this.#blocks[index];
      if (block === undefined) return;
      const isWanted = whole?.has(index) ? undefined : isSelected;
      const rows = isWanted === undefined ? block.rows : countOf(block, isWanted);
      if (rows > 0) yield { index, block, rows, isWanted };
    }
  }

  #isWithin(index: number, { low, high }: KeyRange): boolean {
    const first = this.#blocks[index]?.first;
    const next = this.#blocks[index + 1]?.first;
    if (first === undefined || next === undefined) return false;
    return compareKeys(first, low) >= 0 && compareKeys(next, high) <= 0;
  }
}

/** The number of selected rows of a block, without reading it. */
function countOf({ position, rows }: Block, isSelected: IsSelectedAt): number {
  let count = 0;
  for (let at = position; at < position + rows; at += 1) count += Number(isSelected(at));
  return count;
}

/** The wanted rows of blocks in either order. One call decompresses all of them, which costs less. */
function rowsOf(found: readonly FoundBlock[], order: Order, work: WorkLimit): readonly StoredRow[] {
  if (found.length === 0) return [];
  const bytes = decompressed(found.map(({ block }) => block));
  work.hold(bytes);
  let end = 0;
  return found.flatMap(({ block, isWanted }) => {
    const start = end;
    end += block.size;
    const rows = rowsIn(bytes.subarray(start, end));
    const wanted = isWanted ? rows.filter((_, at) => isWanted(block.position + at)) : rows;
    return order === 'asc' ? wanted : wanted.toReversed();
  });
}

/** The rows of blocks, one after the other. */
function decompressed(blocks: readonly Block[]): Buffer {
  const size = blocks.reduce((all, block) => all + block.size, 0);
  const frames = Buffer.concat(blocks.map(({ compressed }) => compressed));
  return zstdDecompressSync(frames, { chunkSize: size + SPARE_BYTES });
}
