/** Searches months for the rows of one query, and gives up if a month is missing or too many blocks are read. */

import type { ReportPlan } from '../plan/report-plan.ts';
import type { Month } from './month.ts';
import type { MonthQuery } from './month-query.ts';
import { WorkLimit } from './rows/key-range.ts';
import { mergedRows } from './rows/merged-rows.ts';
import type { StoredRow } from './rows/stored-row.ts';

export class MonthSearch {
  readonly #plan: ReportPlan;
  readonly #query: MonthQuery;
  readonly #months: Iterable<Month | undefined>;
  readonly #work = new WorkLimit();
  #isIncomplete = false;

  constructor(plan: ReportPlan, query: MonthQuery, months: Iterable<Month | undefined>) {
    this.#plan = plan;
    this.#query = query;
    this.#months = months;
  }

  /** Whether rows are missing, because a month is not cached or the work limit was exceeded. */
  get isGivenUp(): boolean {
    return this.#isIncomplete || this.#work.isExceeded;
  }

  /** The rows of the answer, in its order. */
  *rows(): Generator<StoredRow> {
    const { ranges, isSelected } = this.#query;
    const { order } = this.#plan;
    for (const month of this.#found()) {
      const lists = ranges.map((range) => month.rows(range, order, this.#work));
      for (const row of mergedRows(lists, order)) {
        if (!row.hasLeft && (isSelected === undefined || isSelected(row))) yield row;
      }
    }
  }

  count(): number {
    const { ranges, isSelected } = this.#query;
    let count = 0;
    if (isSelected !== undefined) {
      for (const _ of this.rows()) count += 1;
      return count;
    }
    for (const month of this.#found()) {
      for (const range of ranges) count += month.count(range, this.#work);
    }
    return count;
  }

  *#found(): Generator<Month> {
    for (const month of this.#months) {
      this.#isIncomplete = month === undefined;
      if (month === undefined) return;
      yield month;
    }
  }
}
