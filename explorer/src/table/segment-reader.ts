/** Random access to the rows of a segment, by cursors from its nearer end. */

import type { Order } from '../../../src/contract/query/parameters.ts';
import type { ApiQuery, ResultRow } from '../query/api-query.ts';
import type { Segment } from './segments.ts';

/** A page of the API. */
export interface FetchedPage {
  readonly rows: readonly ResultRow[];
  /** The cursor of the next page. */
  readonly next: string | undefined;
}

export type FetchPage = (query: ApiQuery, signal: AbortSignal) => Promise<FetchedPage>;

/** The segment has fewer rows than when they were counted. */
export class SegmentChanged extends Error {}

export interface SegmentRows {
  readonly rows: readonly ResultRow[];
  /** Whether the number of rows matches the count. */
  readonly isComplete: boolean;
}

/** Rows skipped per request: the maximum page size. */
const STRIDE = 10_000;

/** The fields of skipped rows. */
const SKIPPED = { fields: 'transaction_id' };

const OPPOSITE: Readonly<Record<Order, Order>> = { asc: 'desc', desc: 'asc' };

export class SegmentReader {
  readonly #segment: Segment;
  readonly #order: Order;
  readonly #fetchPage: FetchPage;
  /** The known cursors by row offset, in each order. */
  readonly #cursors: Readonly<Record<Order, Map<number, string>>> = {
    asc: new Map(),
    desc: new Map(),
  };
  #latest: Promise<unknown> = Promise.resolve();

  constructor(segment: Segment, order: Order, fetchPage: FetchPage) {
    this.#segment = segment;
    this.#order = order;
    this.#fetchPage = fetchPage;
  }

  /** The rows from an offset on. Throws a SegmentChanged if the segment has become shorter. */
  async rows(from: number, most: number, signal: AbortSignal): Promise<SegmentRows> {
    const { count } = this.#segment;
    const length = Math.min(most, count - from);
    const behind = count - from - length;
    const isBackwards = behind < from && count > STRIDE;
    const rows = isBackwards
      ? (await this.#rowsIn(OPPOSITE[this.#order], behind, length, signal)).toReversed()
      : await this.#rowsIn(this.#order, from, most, signal);
    return { rows, isComplete: rows.length === length };
  }

  async #rowsIn(
    order: Order,
    from: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly ResultRow[]> {
    // One walk over skipped rows at a time, because the next walk can use the cursors that this one finds.
    const walk = this.#latest.then(async () => await this.#cursorAt(order, from, signal));
    this.#latest = walk.catch(() => undefined);
    const cursor = await walk;
    const { rows, next } = await this.#page(order, limit, cursor, {}, signal);
    if (next !== undefined) this.#cursors[order].set(from + limit, next);
    return rows;
  }

  /** The cursor at an offset: skips rows from the nearest known cursor before it. */
  async #cursorAt(order: Order, wanted: number, signal: AbortSignal): Promise<string | undefined> {
    const cursors = this.#cursors[order];
    let place = 0;
    for (const known of cursors.keys()) {
      if (known <= wanted && known > place) place = known;
    }
    while (place < wanted) {
      const stride = Math.min(STRIDE, wanted - place);
      const { next } = await this.#page(order, stride, cursors.get(place), SKIPPED, signal);
      if (next === undefined) throw new SegmentChanged();
      place += stride;
      cursors.set(place, next);
    }
    return cursors.get(place);
  }

  async #page(
    order: Order,
    limit: number,
    cursor: string | undefined,
    other: ApiQuery,
    signal: AbortSignal,
  ): Promise<FetchedPage> {
    const { start, end } = this.#segment;
    const place = { start_date: start, end_date: end, order, limit: String(limit), ...other };
    return await this.#fetchPage(cursor === undefined ? place : { ...place, cursor }, signal);
  }
}
