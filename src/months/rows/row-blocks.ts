/** Sorted rows as compressed blocks (zstd) with an index of their first keys. */

import type { Order } from '../../contract/query/parameters.ts';
import { type Block, decompressed } from './block.ts';
import { BlockList } from './block-list.ts';
import { type BlockOfRange, type FoundBlock, readBlocks, rowsOfBlocks } from './found-block.ts';
import { countBefore, type KeyRange } from './key-range.ts';
import { countBelow, type OwnerIndex, type OwnerScopes } from './owner-index.ts';
import { compareKeys, type RowKey, rowsIn, type StoredRow } from './stored-row.ts';
import type { WorkLimit } from './work-limit.ts';

/** Which rows of a range are wanted. */
export interface WantedRows {
  readonly range: KeyRange;
  /** The wanted programs and publishers. Rows of others may be among the result. */
  readonly owners?: OwnerScopes | undefined;
  /** Indexes of blocks whose rows are all wanted, even those of other programs and publishers. */
  readonly whole?: ReadonlySet<number>;
}

/** A found block of a month. */
interface IndexedBlock extends FoundBlock {
  readonly block: Block;
}

const ALL_OWNERS: OwnerScopes = { programIds: 'all', publisherIds: 'all' };

export class RowBlocks {
  readonly #blocks: BlockList;
  readonly #owners: OwnerIndex | undefined;
  readonly rows: number;
  /** Bytes of memory, about. */
  readonly bytes: number;

  constructor(blocks: readonly Block[], owners?: OwnerIndex) {
    this.#blocks = new BlockList(blocks);
    this.#owners = owners;
    this.rows = blocks.reduce((all, { rows }) => all + rows, 0);
    this.bytes = this.#blocks.bytes + (owners?.bytes ?? 0);
  }

  /** The wanted rows in either order; ends early if the work limit is exceeded. */
  *between(wanted: WantedRows, order: Order, work: WorkLimit): Generator<StoredRow> {
    yield* rowsOfBlocks(this.#found(wanted, order), wanted.range, order, work);
  }

  /** The blocks with the rows of a range, in either order. */
  *blocksOf(range: KeyRange, order: Order): Generator<BlockOfRange> {
    for (const { block, rows } of this.#found({ range }, order)) {
      yield { block, rows, isWhole: isWithin(block, range) };
    }
  }

  /**
   * The number of wanted rows. Reads only blocks at the ends of the range; the index counts the others. Undefined
   * if the index does not select the wanted programs and publishers, because they have too many rows.
   */
  countBetween(wanted: WantedRows, work: WorkLimit): number | undefined {
    const { programIds, publisherIds } = wanted.owners ?? ALL_OWNERS;
    const isOfAll = programIds === 'all' && publisherIds === 'all';
    let count = 0;
    const partial: IndexedBlock[] = [];
    for (const found of this.#found(wanted, 'asc')) {
      if (!isOfAll && found.wanted === undefined) return undefined;
      if (isWithin(found.block, wanted.range)) count += found.rows;
      else partial.push(found);
    }
    return count + readBlocks(work.take(partial.values()), wanted.range, 'asc', work).length;
  }

  /** All rows, without a work limit. */
  *all(): Generator<StoredRow> {
    for (let index = 0; index < this.#blocks.length; index += 1) {
      const block = this.#blocks.at(index);
      if (block !== undefined) yield* rowsIn(decompressed([block]));
    }
  }

  /** The index of the block that holds the row of each key, if there is such a row. The keys are sorted. */
  indexesOf(keys: readonly RowKey[]): Uint32Array {
    let index = 0;
    const firstKey = (at: number) => this.#blocks.firstKey(at);
    return Uint32Array.from(keys, (key) => {
      for (let next = firstKey(index + 1); next !== undefined; next = firstKey(index + 1)) {
        if (compareKeys(next, key) > 0) break;
        index += 1;
      }
      return index;
    });
  }

  /** The index of the block that holds the row of a key, if there is such a row. */
  indexOf(key: RowKey): number {
    const index = this.#countBefore(key);
    const first = this.#blocks.firstKey(index);
    const startsThere = first !== undefined && compareKeys(first, key) === 0;
    return startsThere ? index : Math.max(index - 1, 0);
  }

  /** The index of the first block with a row from a key on. */
  #firstFrom(key: RowKey): number {
    const index = this.indexOf(key);
    const last = this.#blocks.lastKey(index);
    return last !== undefined && compareKeys(last, key) < 0 ? index + 1 : index;
  }

  /** The number of blocks that begin before a key. */
  #countBefore(key: RowKey): number {
    return countBefore(this.#blocks.length, (index) => this.#blocks.firstKey(index) ?? key, key);
  }

  /** The blocks with rows that may be wanted, in the order of the answer. */
  #found(
    { range, owners, whole }: WantedRows,
    order: Order,
  ): Iterator<IndexedBlock> & Iterable<IndexedBlock> {
    const first = this.#firstFrom(range.low);
    const end = this.#countBefore(range.high);
    const within = { start: this.#positionOf(first), end: this.#positionOf(end) };
    const positions = owners && this.#owners?.positions(owners, within);
    if (positions === undefined) return this.#wholeBlocks(first, end, order);
    const others = [...(whole ?? [])].filter((index) => index >= first && index < end);
    return this.#blocksAt(positions, new Set(others), order);
  }

  /** The position of the first row of a block. */
  #positionOf(index: number): number {
    return this.#blocks.positions[index] ?? this.rows;
  }

  *#wholeBlocks(first: number, end: number, order: Order): Generator<IndexedBlock> {
    for (let step = 0; step < end - first; step += 1) {
      yield* this.#wholeBlock(order === 'asc' ? first + step : end - 1 - step);
    }
  }

  *#wholeBlock(index: number): Generator<IndexedBlock> {
    const block = this.#blocks.at(index);
    if (block !== undefined) yield { block, rows: block.rows };
  }

  /** The blocks with the rows at sorted positions, and the blocks `whole`, in the order of the answer. */
  *#blocksAt(
    positions: Uint32Array,
    whole: ReadonlySet<number>,
    order: Order,
  ): Generator<IndexedBlock> {
    const isBefore = (one: number, other: number) => (order === 'asc' ? one < other : one > other);
    const others = [...whole].sort((one, other) => (isBefore(one, other) ? -1 : 1));
    for (let left = positions; left.length > 0; ) {
      const index = this.#blockAt((order === 'asc' ? left.at(0) : left.at(-1)) ?? 0);
      while (others[0] !== undefined && isBefore(others[0], index)) {
        yield* this.#wholeBlock(others.shift() ?? index);
      }
      const split = countBelow(left, this.#positionOf(order === 'asc' ? index + 1 : index));
      const [before, after] = [left.subarray(0, split), left.subarray(split)];
      const [own, rest] = order === 'asc' ? [before, after] : [after, before];
      const block = this.#blocks.at(index);
      if (others[0] === index) yield* this.#wholeBlock(others.shift() ?? index);
      else if (block !== undefined) {
        yield { block, rows: own.length, wanted: { positions: own, start: block.position } };
      }
      left = rest;
    }
    for (const index of others) yield* this.#wholeBlock(index);
  }

  /** The index of the block that holds the row at a position. */
  #blockAt(position: number): number {
    return countBelow(this.#blocks.positions, position + 1) - 1;
  }
}

const isWithin = ({ first, last }: Block, { low, high }: KeyRange): boolean =>
  compareKeys(first, low) >= 0 && compareKeys(last, high) < 0;
