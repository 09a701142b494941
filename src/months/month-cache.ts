/**
 * Answers small lists, pages and counts from months in memory, without a statement.
 *
 * Embedded engine only, because no other process can write to its database. The cache serves a month until
 * something is written to that month. Its answers are byte for byte those of the engine. If the cache cannot
 * answer, the engine does.
 */

import { isExclusive, type Reader } from '../engine/engine.ts';
import type { ListPlan } from '../plan/list-plan.ts';
import type { Page } from '../reading/pages/page.ts';
import type { TableParts } from '../reading/table-parts.ts';
import { partitionsIn, TableVersions } from '../reading/table-versions.ts';
import type { CachedMonth } from './cached-month.ts';
import { MonthFiller, monthKey } from './month-filler.ts';
import { type MonthQuery, monthQuery } from './month-query.ts';
import { MonthSearch } from './month-search.ts';
import { MonthStore } from './month-store.ts';
import type { StoredRow } from './rows/stored-row.ts';
import { rowWriter, writtenRows } from './writing/record-writer.ts';
import type { RowWriter } from './writing/row-writer.ts';

/** A cache of at most `capacity` bytes; undefined if that is 0 or other processes can write. */
export const openMonthCache = (reader: Reader, capacity: number): MonthCache | undefined =>
  isExclusive(reader) && capacity > 0 ? new MonthCache(reader, capacity) : undefined;

/** The methods that answer requests from months in memory. */
export type MonthAnswers = Pick<MonthCache, 'page' | 'list' | 'count'>;

export class MonthCache {
  readonly versions: TableVersions;
  readonly #store: MonthStore;
  readonly #filler: MonthFiller;

  constructor(reader: Reader, capacity: number) {
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

  /** Waits until the background work is done. */
  async settled(): Promise<void> {
    await this.#filler.settled();
  }

  /** Forgets all months, also those that are being read. They are read again in the background. */
  forget(): void {
    this.#filler.forget();
  }

  /** Stops the background work. Call it before the engine is closed. */
  async close(): Promise<void> {
    await this.#filler.close();
  }

  /** The plan's records up to its limit; undefined if the engine must answer. */
  async page(plan: ListPlan): Promise<Page | undefined> {
    const write = rowWriter(plan);
    const search = await this.#searchFor(plan);
    if (write === undefined || search === undefined) return undefined;
    try {
      return pageOf(search, write, plan.limit);
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
    return parts && new MonthSearch(plan, query, this.#monthsFor(plan, query, parts));
  }

  /** The months of a query in the order of its answer; undefined for a month that is not cached. */
  *#monthsFor(
    plan: ListPlan,
    { table }: MonthQuery,
    parts: TableParts,
  ): Generator<CachedMonth | undefined> {
    const partitions = partitionsIn(parts, table.table, plan);
    // If clocks are set back at midnight, two months share an hour, and only the engine can sort their rows.
    const isApart = partitions.every(
      ({ first }, at) => first > (partitions[at - 1]?.last ?? Number.NEGATIVE_INFINITY),
    );
    if (!isApart) yield undefined;
    for (const partition of plan.order === 'asc' ? partitions : partitions.toReversed()) {
      const key = monthKey(table, partition.partition);
      const month = this.#store.use(key);
      const isCurrent = month?.isCurrent(partition);
      if (!isCurrent) this.#filler.want(key);
      yield isCurrent ? month : undefined;
    }
  }
}

/** The rows that a search finds, up to a limit; undefined if it gives up. */
function pageOf(
  search: MonthSearch,
  write: RowWriter,
  limit = Number.POSITIVE_INFINITY,
): Page | undefined {
  const rows: StoredRow[] = [];
  let isFollowed = false;
  for (const row of search.rows()) {
    isFollowed = rows.length === limit;
    if (isFollowed) break;
    rows.push(row);
  }
  if (search.isGivenUp) return undefined;
  const last = rows.at(-1)?.key();
  return {
    ...writtenRows(rows, write),
    rows: rows.length,
    last: last && { at: last.at, transactionId: last.transactionId },
    isFollowed,
  };
}
