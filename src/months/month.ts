/** One month of a table in memory: compressed blocks, and the rows that changed since then. */

import type { Order } from '../contract/query/parameters.ts';
import type { PartitionParts } from '../reading/table-parts.ts';
import type { MonthTable } from './month-statement.ts';
import type { PartsRead } from './parts-read.ts';
import { comparison, countBefore, type KeyRange, type WorkLimit } from './rows/key-range.ts';
import type { RowBlocks } from './rows/row-blocks.ts';
import { compareKeys, type StoredRow } from './rows/stored-row.ts';

/** Bytes of memory of a changed row besides its own. */
const ROW_OVERHEAD = 100;

export interface MonthContent {
  readonly table: MonthTable;
  readonly partition: string;
  readonly partsRead: PartsRead;
  readonly blocks: RowBlocks;
  /** In the order of the table. */
  readonly changes: readonly StoredRow[];
}

export class Month {
  readonly content: MonthContent;
  /** Bytes of memory, about. */
  readonly bytes: number;

  constructor(content: MonthContent) {
    this.content = content;
    const { blocks, changes } = content;
    this.bytes = changes.reduce((all, row) => all + row.size + ROW_OVERHEAD, blocks.bytes);
  }

  /** Whether the engine has the same rows; merges of parts change nothing. */
  isCurrent({ parts }: PartitionParts): boolean {
    const { partsRead } = this.content;
    return partsRead.unreadOf(parts).length === 0 && partsRead.areIn(parts);
  }

  /** The newest version of each row of a range, in either order; ends early if the work limit is exceeded. */
  rows(range: KeyRange, order: Order, work: WorkLimit): Iterable<StoredRow> {
    const { blocks } = this.content;
    const changes = this.#changesIn(range);
    const stored = blocks.between(range, order, work);
    if (changes.length === 0) return stored;
    return newestOf(stored, order === 'asc' ? changes : changes.toReversed(), order);
  }

  /** The number of rows of a range that are not tombstones. */
  count(range: KeyRange, work: WorkLimit): number {
    if (this.#changesIn(range).length === 0) return this.content.blocks.countBetween(range, work);
    let count = 0;
    for (const row of this.rows(range, 'asc', work)) count += Number(!row.hasLeft);
    return count;
  }

  #changesIn({ low, high }: KeyRange): readonly StoredRow[] {
    const { changes } = this.content;
    if (changes.length === 0) return changes;
    const keyAt = (index: number) => changes[index] ?? high;
    return changes.slice(
      countBefore(changes.length, keyAt, low),
      countBefore(changes.length, keyAt, high),
    );
  }
}

/** Merges two lists. Of two versions of a row the newer one wins, or the later list's if they are equally new. */
export function* newestOf(
  earlier: Iterable<StoredRow>,
  later: Iterable<StoredRow>,
  order: Order,
): Generator<StoredRow> {
  const compare = comparison(order);
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
