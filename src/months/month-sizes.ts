/** Estimates the memory that a month of rows takes in the cache, from the months of its table that were read before. */

import type { PartitionParts } from '../reading/table-parts.ts';
import type { CachedMonth } from './cached-month.ts';
import type { MonthTable } from './month-statement.ts';

/** Assumed bytes of memory of a row, until a month of its table was read. */
const EXPECTED_BYTES = 150;

/** A month of a table. */
export interface StoredMonth {
  readonly key: string;
  readonly table: MonthTable;
  readonly partition: PartitionParts;
}

export class MonthSizes {
  /** By table, sums of all months that were read, to estimate bytes per row. Small months have more per row. */
  readonly #totals = new Map<string, { readonly rows: number; readonly bytes: number }>();
  /** The numbers of rows with which months exceeded the capacity, although the estimates were lower. */
  readonly #tooLarge = new Map<string, number>();

  noteRead({ table }: StoredMonth, { content, bytes }: CachedMonth): void {
    const totals = this.#totalsOf(table);
    this.#totals.set(table.table, {
      rows: totals.rows + content.blocks.rows,
      bytes: totals.bytes + bytes,
    });
  }

  /** Notes that a month exceeds the capacity while it has at least as many rows as now. */
  noteTooLarge({ key, partition }: StoredMonth): void {
    this.#tooLarge.set(key, partition.rows);
  }

  /** Forgets which months were too large, because rows have changed. */
  forgetTooLarge(): void {
    this.#tooLarge.clear();
  }

  /** Infinite for a month that was too large. */
  expectedBytes({ key, table, partition }: StoredMonth): number {
    const most = this.#tooLarge.get(key) ?? Number.POSITIVE_INFINITY;
    if (partition.rows >= most) return Number.POSITIVE_INFINITY;
    const { rows, bytes } = this.#totalsOf(table);
    return partition.rows * (rows === 0 ? EXPECTED_BYTES : bytes / rows);
  }

  #totalsOf({ table }: MonthTable): { readonly rows: number; readonly bytes: number } {
    return this.#totals.get(table) ?? { rows: 0, bytes: 0 };
  }
}
