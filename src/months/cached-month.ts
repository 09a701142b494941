/** One month of a table in memory: compressed blocks, and the rows that changed since the blocks were built. */

import type { Order } from '../contract/query/parameters.ts';
import type { PartitionParts } from '../reading/table-parts.ts';
import type { MonthTable } from './month-statement.ts';
import type { PartsRead } from './parts-read.ts';
import type { BlockOfRange } from './rows/found-block.ts';
import { comparatorOf, indexRangeOf, type KeyRange } from './rows/key-range.ts';
import type { OwnerIndex } from './rows/owner-index.ts';
import type { RowBlocks, WantedRows } from './rows/row-blocks.ts';
import { compareKeys, type StoredRow } from './rows/stored-row.ts';
import type { WorkLimit } from './rows/work-limit.ts';

/** Bytes of memory that a changed row takes besides its content. */
const ROW_OVERHEAD = 100;

export interface MonthContent {
  readonly table: MonthTable;
  readonly partition: string;
  readonly partsRead: PartsRead;
  readonly blocks: RowBlocks;
  /** In the order of the table. */
  readonly changes: readonly StoredRow[];
  /** The index of the changed rows, in a table that is sorted by time. */
  readonly changeIndex: ChangeIndex | undefined;
}

export interface ChangeIndex {
  readonly owners: OwnerIndex;
  /** For each changed row, the index of the block that holds its stored version, if it has one. */
  readonly blocks: Uint32Array;
}

/** The wanted rows: those of a range, and of some programs and publishers if the table is sorted by time. */
export type MonthSelection = Omit<WantedRows, 'whole'>;

export class CachedMonth {
  readonly content: MonthContent;
  /** Bytes of memory, about. */
  readonly bytes: number;

  constructor(content: MonthContent) {
    this.content = content;
    const { blocks, changes, changeIndex } = content;
    const indexed = blocks.bytes + (changeIndex ? bytesOf(changeIndex) : 0);
    this.bytes = changes.reduce((all, row) => all + row.size + ROW_OVERHEAD, indexed);
  }

  /** Whether the engine has the same rows; merges of parts change nothing. */
  isCurrent({ parts }: PartitionParts): boolean {
    const { partsRead } = this.content;
    return partsRead.unreadOf(parts).length === 0 && partsRead.areIn(parts);
  }

  /**
   * The newest version of each row, in either order; ends early if the work limit is exceeded.
   *
   * The result may contain rows of other programs and publishers, so the caller must test each row.
   */
  rows({ range, owners }: MonthSelection, order: Order, work: WorkLimit): Iterable<StoredRow> {
    const { blocks, changes } = this.content;
    const [start, end] = this.#changesIn(range);
    if (start === end) return blocks.between({ range, owners }, order, work);
    const whole = this.#changedBlocks({ range, owners });
    const stored = blocks.between({ range, owners, whole }, order, work);
    const changed = changes.slice(start, end);
    return mergedNewest(stored, order === 'asc' ? changed : changed.reverse(), order);
  }

  /** The blocks with the rows of a range, in either order; undefined if some of these rows have changed. */
  blocksOf(range: KeyRange, order: Order): Iterable<BlockOfRange> | undefined {
    const [start, end] = this.#changesIn(range);
    return start === end ? this.content.blocks.blocksOf(range, order) : undefined;
  }

  /** The number of rows. Undefined if they must be read: some have changed, or they are too many for the index. */
  count(wanted: MonthSelection, work: WorkLimit): number | undefined {
    const [start, end] = this.#changesIn(wanted.range);
    return start === end ? this.content.blocks.countBetween(wanted, work) : undefined;
  }

  /** Where the changes of a range start and end. */
  #changesIn(range: KeyRange): readonly [number, number] {
    return indexRangeOf(range, this.content.changes);
  }

  /**
   * The blocks with stored versions of the selected changes. They are read whole: the index would leave out a
   * stored version that belongs to another program, although it may be newer than the change.
   */
  #changedBlocks({ range, owners }: MonthSelection): ReadonlySet<number> {
    const { changeIndex } = this.content;
    if (owners === undefined || changeIndex === undefined) return new Set();
    const [start, end] = this.#changesIn(range);
    const selected = changeIndex.owners.positions(owners, { start, end });
    const found = changeIndex.blocks;
    // A month may have thousands of changes, of which each request would otherwise search the blocks.
    return new Set(selected?.map((at) => found[at] ?? 0) ?? found.subarray(start, end));
  }
}

const bytesOf = ({ owners, blocks }: ChangeIndex): number => owners.bytes + blocks.byteLength;

/** Merges two sorted lists. Of two versions of a row the newer one wins. If they are equally new, `later` wins. */
export function* mergedNewest(
  earlier: Iterable<StoredRow>,
  later: Iterable<StoredRow>,
  order: Order,
): Generator<StoredRow> {
  const compare = comparatorOf(order);
  const rest = later[Symbol.iterator]();
  let next = rest.next();
  for (const row of earlier) {
    while (!next.done && compare(next.value, row) < 0) {
      yield next.value;
      next = rest.next();
    }
    if (next.done || compareKeys(next.value, row) !== 0) {
      yield row;
      continue;
    }
    yield next.value.updatedAt >= row.updatedAt ? next.value : row;
    next = rest.next();
  }
  for (; !next.done; next = rest.next()) yield next.value;
}
