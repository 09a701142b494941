/** Random access to the rows of a list that is sorted by a column, by offsets. */

import type { Order } from '../../../src/contract/query/parameters.ts';
import type { FetchPage, SegmentRows } from './segment-reader.ts';

export interface SortedList {
  /** The value of the parameter `sort`. */
  readonly sort: string;
  readonly order: Order;
  /** The number of rows. */
  readonly count: number;
}

export class SortedReader {
  readonly #list: SortedList;
  readonly #fetchPage: FetchPage;

  constructor(list: SortedList, fetchPage: FetchPage) {
    this.#list = list;
    this.#fetchPage = fetchPage;
  }

  /** The rows from an offset on. The service sorts the list again for each page. */
  async rows(from: number, most: number, signal: AbortSignal): Promise<SegmentRows> {
    const { sort, order, count } = this.#list;
    const place = { sort, order, limit: String(most), offset: String(from) };
    const { rows } = await this.#fetchPage(place, signal);
    return { rows, isComplete: rows.length === Math.min(most, count - from) };
  }
}
