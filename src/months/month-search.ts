/**
 * Searches months for the rows of one query, and gives up if a month is missing or too many blocks are read.
 *
 * If the rows can be found without reading rows, it only chooses blocks, which another thread then reads.
 */

import type { Order } from '../contract/query/parameters.ts';
import type { ListPlan } from '../plan/list-plan.ts';
import type { CachedMonth } from './cached-month.ts';
import type { MonthQuery } from './month-query.ts';
import { type BlocksOfMonth, type FirstBlocks, firstBlocks } from './rows/found-block.ts';
import type { KeyRange } from './rows/key-range.ts';
import { rowsOfMonths } from './rows/merged-rows.ts';
import type { StoredRow } from './rows/stored-row.ts';
import { MAX_BYTES, WorkLimit } from './rows/work-limit.ts';
import { type PageTask, pageTask } from './thread/page-task.ts';

/** Bytes of blocks after which no further month is added to a task, without and for each row of the page. */
const ENOUGH_BYTES = 256 * 1024;
const ENOUGH_BYTES_PER_ROW = 2 * 1024;

/** A month that a query needs. */
export interface WantedMonth {
  /** Undefined if the month is not cached. */
  peek(): CachedMonth | undefined;
  /** Like `peek`, but counts as a use: the month stays in the cache, or is read into it. */
  use(): CachedMonth | undefined;
}

export class MonthSearch {
  readonly #plan: ListPlan;
  readonly #query: MonthQuery;
  readonly #months: Iterable<WantedMonth>;
  readonly #work: WorkLimit;
  /** The most rows of the answer. */
  readonly limit: number;
  #isIncomplete = false;

  /** The months are in the order of the answer. */
  constructor(plan: ListPlan, query: MonthQuery, months: Iterable<WantedMonth>) {
    this.#plan = plan;
    this.#query = query;
    this.#months = months;
    this.limit = plan.limit ?? Number.POSITIVE_INFINITY;
    // Reads one row more than the page holds: if it exists, another page follows.
    this.#work = new WorkLimit(this.limit + 1);
  }

  /** Whether rows are missing, because a month is not cached or the work limit was exceeded. */
  get isGivenUp(): boolean {
    return this.#isIncomplete || this.#work.isExceeded;
  }

  /** The rows of the answer, in its order. */
  rows(): Iterable<StoredRow> {
    const { ranges } = this.#query;
    const { order } = this.#plan;
    const months = Iterator.from(this.#found()).map((month) =>
      ranges.map((range) => this.#rowsIn(month, range, order)),
    );
    return rowsOfMonths(months, order, this.#work);
  }

  /**
   * The task of writing the first page in the page thread. Undefined if only the main thread can, because rows are
   * filtered or have changed, or if a month is not cached.
   */
  task(): PageTask | undefined {
    const { ranges, isSelected } = this.#query;
    if (isSelected !== undefined) return undefined;
    const enough = ENOUGH_BYTES + (this.limit + 1) * ENOUGH_BYTES_PER_ROW;
    const months: BlocksOfMonth[] = [];
    let missing = this.limit + 1;
    let bytes = 0;
    let isComplete = true;
    for (const month of this.#months) {
      isComplete = false;
      const lists = bytes > enough ? undefined : this.#firstBlocks(month.peek(), missing);
      bytes += sum(lists ?? [], (list) => list.bytes);
      if (lists === undefined || bytes > MAX_BYTES) break;
      month.use();
      months.push(lists.map(({ blocks }) => blocks));
      missing -= sum(lists, ({ rows }) => rows);
      if (missing <= 0) break;
      isComplete = true;
    }
    const mayBeEnough = months.length > 0 && this.limit < Number.POSITIVE_INFINITY;
    if (!isComplete && !mayBeEnough) return undefined;
    return pageTask(this.#plan, { limit: this.limit, ranges, months, isComplete });
  }

  /** Frees the memory of the rows. None of them may be used any more. */
  close(): void {
    this.#work.free();
  }

  count(): number {
    const { ranges, owners, isFiltered } = this.#query;
    let count = 0;
    for (const month of this.#found()) {
      for (const range of ranges) {
        count +=
          (isFiltered ? undefined : month.count({ range, owners }, this.#work)) ??
          Iterator.from(this.#rowsIn(month, range, 'asc')).reduce((all) => all + 1, 0);
      }
    }
    return count;
  }

  #rowsIn(month: CachedMonth, range: KeyRange, order: Order): Iterable<StoredRow> {
    const { owners, isSelected } = this.#query;
    const rows = month.rows({ range, owners }, order, this.#work);
    return isSelected === undefined ? rows : Iterator.from(rows).filter(isSelected);
  }

  /** For each range, blocks with so many of its rows. Undefined without the month, or if such rows have changed. */
  #firstBlocks(month: CachedMonth | undefined, rows: number): readonly FirstBlocks[] | undefined {
    const lists: FirstBlocks[] = [];
    for (const range of this.#query.ranges) {
      const found = month?.blocksOf(range, this.#plan.order);
      if (found === undefined) return undefined;
      lists.push(firstBlocks(found, rows, MAX_BYTES));
    }
    return lists;
  }

  *#found(): Generator<CachedMonth> {
    for (const wanted of this.#months) {
      const month = wanted.use();
      this.#isIncomplete = month === undefined;
      if (month === undefined) return;
      yield month;
    }
  }
}

const sum = <Item>(items: readonly Item[], number: (item: Item) => number): number =>
  items.reduce((all, item) => all + number(item), 0);
