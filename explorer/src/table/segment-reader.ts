/** Reads rows at any place of a segment, by cursors that go on from its nearer end. */

import type { Order } from '../../../src/contract/query/parameters.ts';
import type { Question, Values } from '../query/question.ts';
import type { Segment } from './segments.ts';

/** What a page of the API has of what is asked here. */
export interface Part {
  readonly rows: readonly Values[];
  /** The cursor of what follows. */
  readonly next: string | undefined;
}

export type ReadPart = (question: Question, signal: AbortSignal) => Promise<Part>;

/** The segment ends before a place that it had when its rows were counted. */
export class SegmentChanged extends Error {}

export interface Found {
  readonly rows: readonly Values[];
  /** Whether there are as many as there should be. */
  readonly isAsCounted: boolean;
}

/** Rows that are passed over at a time: the most that a page may have. */
const STRIDE = 10_000;

/** What is asked of rows that are passed over. */
const PASSED = { fields: 'transaction_id' };

const OPPOSITE: Readonly<Record<Order, Order>> = { asc: 'desc', desc: 'asc' };

export class SegmentReader {
  readonly #segment: Segment;
  readonly #order: Order;
  readonly #read: ReadPart;
  /** The cursors of places, seen from where each order begins. */
  readonly #cursors: Readonly<Record<Order, Map<number, string>>> = {
    asc: new Map(),
    desc: new Map(),
  };
  #latest: Promise<unknown> = Promise.resolve();

  /** The order is that of the list. */
  constructor(segment: Segment, order: Order, read: ReadPart) {
    this.#segment = segment;
    this.#order = order;
    this.#read = read;
  }

  /** The rows from a place on; throws a SegmentChanged where there is no such place any more. */
  async rows(from: number, most: number, signal: AbortSignal): Promise<Found> {
    const { count } = this.#segment;
    const length = Math.min(most, count - from);
    const behind = count - from - length;
    const isBackwards = behind < from && count > STRIDE;
    const rows = isBackwards
      ? (await this.#rowsIn(OPPOSITE[this.#order], behind, length, signal)).toReversed()
      : await this.#rowsIn(this.#order, from, most, signal);
    return { rows, isAsCounted: rows.length === length };
  }

  async #rowsIn(
    order: Order,
    from: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly Values[]> {
    // One way at a time: the next one may go on where it ended.
    const way = this.#latest.then(async () => await this.#cursorAt(order, from, signal));
    this.#latest = way.catch(() => undefined);
    const cursor = await way;
    const { rows, next } = await this.#page(order, limit, cursor, {}, signal);
    if (next !== undefined) this.#cursors[order].set(from + limit, next);
    return rows;
  }

  /** Goes to a place from the nearest one before it that is known. */
  async #cursorAt(order: Order, wanted: number, signal: AbortSignal): Promise<string | undefined> {
    const cursors = this.#cursors[order];
    let place = 0;
    for (const known of cursors.keys()) {
      if (known <= wanted && known > place) place = known;
    }
    while (place < wanted) {
      const stride = Math.min(STRIDE, wanted - place);
      const { next } = await this.#page(order, stride, cursors.get(place), PASSED, signal);
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
    other: Question,
    signal: AbortSignal,
  ): Promise<Part> {
    const { start, end } = this.#segment;
    const place = { start_date: start, end_date: end, order, limit: String(limit), ...other };
    return await this.#read(cursor === undefined ? place : { ...place, cursor }, signal);
  }
}
