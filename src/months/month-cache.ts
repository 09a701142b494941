/**
 * Answers small lists, pages and counts from months in memory, without a statement.
 *
 * Embedded engine only, because no other process can write to its database. The cache serves a month until
 * something is written to that month. Its answers are byte for byte those of the engine. If the cache cannot
 * answer, the engine does.
 */

import { isExclusive, type Reader } from '../engine/engine.ts';
import { isFileForm } from '../plan/form.ts';
import type { ListPlan } from '../plan/list-plan.ts';
import type { Page } from '../reading/pages/page.ts';
import type { TableParts } from '../reading/table-parts.ts';
import { partitionsIn, TableVersions } from '../reading/table-versions.ts';
import type { CachedMonth } from './cached-month.ts';
import { MonthFiller, monthKey } from './month-filler.ts';
import { type MonthQuery, monthQuery } from './month-query.ts';
import { MonthSearch, type WantedMonth } from './month-search.ts';
import { MonthStore } from './month-store.ts';
import { PageThread } from './thread/page-thread.ts';
import { rowWriter } from './writing/record-writer.ts';
import { firstRows, writtenPage } from './writing/written-page.ts';

/** A cache of at most `capacity` bytes; undefined if that is 0 or other processes can write. */
export const openMonthCache = (
  reader: Reader,
  capacity: number,
  onThreadFailure?: (error: unknown) => void,
): MonthCache | undefined =>
  isExclusive(reader) && capacity > 0
    ? new MonthCache(reader, capacity, onThreadFailure)
    : undefined;

/** The methods that answer requests from months in memory. */
export type MonthAnswers = Pick<MonthCache, 'page' | 'list' | 'count'>;

export class MonthCache {
  readonly versions: TableVersions;
  readonly #store: MonthStore;
  readonly #filler: MonthFiller;
  readonly #thread: PageThread;

  /** `onThreadFailure` is called when the thread that writes pages fails. The main thread then writes them. */
  constructor(
    reader: Reader,
    capacity: number,
    onThreadFailure: (error: unknown) => void = () => undefined,
  ) {
    this.#thread = new PageThread(onThreadFailure);
    this.versions = new TableVersions(reader);
    this.#store = new MonthStore(capacity);
    this.#filler = new MonthFiller({ reader, versions: this.versions, store: this.#store });
  }

  /** Starts to fill the cache in the background, the newest months first. */
  start(): void {
    this.#filler.start();
  }

  /** Starts to read new rows now, in the background. */
  refresh(): void {
    this.#filler.refresh();
  }

  /** Waits until the background work is done, and until the page thread is ready if it has been started. */
  async settled(): Promise<void> {
    await Promise.all([this.#filler.settled(), this.#thread.settled()]);
  }

  /** Forgets all months, also those that are being read. They are read again in the background. */
  forget(): void {
    this.#filler.forget();
  }

  /** Stops the background work and the page thread. Call it before the engine is closed. */
  async close(): Promise<void> {
    await Promise.all([this.#filler.close(), this.#thread.close()]);
  }

  /** The plan's records up to its limit; undefined if the engine must answer. */
  async page(plan: ListPlan): Promise<Page | undefined> {
    // Only the engine writes files.
    if (isFileForm(plan.form)) return undefined;
    const search = await this.#searchFor(plan);
    if (search === undefined) return undefined;
    const written = await this.#thread.write(() => search.task());
    if (written !== undefined) return written;
    try {
      const rows = firstRows(search.rows(), search.limit);
      return search.isGivenUp ? undefined : writtenPage(rows, rowWriter(plan));
    } finally {
      search.close();
    }
  }

  /** All of the plan's records, or the first ones of a long list; undefined if the engine must answer. */
  async list(plan: ListPlan, first: number): Promise<Page | undefined> {
    return (await this.page(plan)) ?? (await this.page({ ...plan, limit: first }));
  }

  /** The number of the plan's records on all pages; undefined if the engine must answer. */
  async count({ after: _, limit: __, sort: ___, ...plan }: ListPlan): Promise<number | undefined> {
    const search = await this.#searchFor(plan);
    const count = search?.count();
    search?.close();
    return search?.isGivenUp ? undefined : count;
  }

  async #searchFor(plan: ListPlan): Promise<MonthSearch | undefined> {
    const query = monthQuery(plan);
    if (query === undefined) return undefined;
    // If the list of parts cannot be read, the engine must answer. Its own query reports the failure.
    const parts = await this.versions.parts().catch(() => undefined);
    if (parts === undefined) return undefined;
    const months = { [Symbol.iterator]: () => this.#monthsFor(plan, query, parts) };
    return new MonthSearch(plan, query, months);
  }

  /** The months of a query in the order of its answer. */
  *#monthsFor(plan: ListPlan, { table }: MonthQuery, parts: TableParts): Generator<WantedMonth> {
    const partitions = partitionsIn(parts, table.table, plan);
    // If clocks are set back at midnight, two months share an hour, and only the engine can sort their rows.
    const isApart = partitions.every(
      ({ first }, at) => first > (partitions[at - 1]?.last ?? Number.NEGATIVE_INFINITY),
    );
    if (!isApart) yield NO_MONTH;
    for (const partition of plan.order === 'asc' ? partitions : partitions.toReversed()) {
      const key = monthKey(table, partition.partition);
      const current = (month: CachedMonth | undefined) =>
        month?.isCurrent(partition) ? month : undefined;
      yield {
        peek: () => current(this.#store.peek(key)),
        use: () => {
          const month = current(this.#store.use(key));
          if (month === undefined) this.#filler.want(key);
          return month;
        },
      };
    }
  }
}

const NO_MONTH: WantedMonth = { peek: () => undefined, use: () => undefined };
