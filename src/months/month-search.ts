/** Searches months for the rows of one query, and gives up if a month is missing or too many blocks are read. */

import type { Order } from '../contract/query/parameters.ts';
import type { ListPlan } from '../plan/list-plan.ts';
import type { CachedMonth } from './cached-month.ts';
import type { MonthQuery } from './month-query.ts';
import type { KeyRange } from './rows/key-range.ts';
import { mergedRows } from './rows/merged-rows.ts';
import type { StoredRow } from './rows/stored-row.ts';
import { WorkLimit } from './rows/work-limit.ts';

export class MonthSearch {
  readonly #plan: ListPlan;
  readonly #query: MonthQuery;
  readonly #months: Iterable<CachedMonth | undefined>;
  readonly #work: WorkLimit;
  #isIncomplete = false;

  constructor(plan: ListPlan, query: MonthQuery, months: Iterable<CachedMonth | undefined>) {
    this.#plan = plan;
    this.#query = query;
    this.#months = months;
    // Reads one row more than the page holds: if it exists, another page follows.
    this.#work = new WorkLimit(plan.limit === undefined ? undefined : plan.limit + 1);
  }

  /** Whether rows are missing, because a month is not cached or the work limit was exceeded. */
  get isGivenUp(): boolean {
    return this.#isIncomplete || this.#work.isExceeded;
  }

  /** The rows of the answer, in its order. */
  *rows(): Generator<StoredRow> {
    const { ranges } = this.#query;
    const { order } = this.#plan;
    for (const month of this.#found()) {
      const lists = ranges.map((range) => this.#rowsIn(month, range, order));
      for (const row of mergedRows(lists, order)) {
        yield row;
        this.#work.found();
      }
    }
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

  *#found(): Generator<CachedMonth> {
    for (const month of this.#months) {
      this.#isIncomplete = month === undefined;
      if (month === undefined) return;
      yield month;
    }
  }
}
