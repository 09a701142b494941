/** Chunked row cache of the list with random access: loads the visible rows. */

import type { Order } from '../../../src/contract/query/parameters.ts';
import type { ApiQuery, ResultRow } from '../query/api-query.ts';
import { type FetchPage, SegmentChanged, SegmentReader } from './segment-reader.ts';
import { rowCountOf, type Segment, segmentAt } from './segments.ts';
import { SortedReader } from './sorted-reader.ts';

export interface RowSourceOptions {
  /** The query of the rows. */
  readonly query: ApiQuery;
  readonly segments: readonly Segment[];
  readonly order: Order;
  /** The value of the parameter `sort`; undefined for the order by date. If it is given, there is one segment. */
  readonly sort: string | undefined;
  readonly fetchPage: FetchPage;
  onError(error: unknown): void;
  /** Called when the counts of the segments are outdated. */
  onOutdated(): void;
}

/** Rows per request. */
const CHUNK = 200;
/** The most chunks in memory. */
const MAX_CHUNKS = 60;
const MAX_PARALLEL = 2;

export class RowSource {
  readonly count: number;
  readonly query: ApiQuery;
  readonly #options: RowSourceOptions;
  readonly #chunks = new Map<string, readonly ResultRow[]>();
  /** Chunks that stay visible until they are reloaded. */
  readonly #stale = new Set<string>();
  readonly #loading = new Map<string, AbortController>();
  readonly #readers = new Map<number, SegmentReader | SortedReader>();
  readonly #listeners = new Set<() => void>();
  #visible: readonly string[] = [];
  #version = 0;
  #hasFailed = false;

  constructor(options: RowSourceOptions) {
    this.#options = options;
    this.query = options.query;
    this.count = rowCountOf(options.segments);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Changes whenever rows have arrived. */
  readonly version = (): number => this.#version;

  /** Undefined until the row is loaded. */
  rowAt(row: number): ResultRow | undefined {
    const place = this.#placeOf(row);
    return this.#chunks.get(place.key)?.[place.within];
  }

  /** Loads the visible rows, and cancels requests for others. */
  showRange(first: number, last: number): void {
    const keys = new Set<string>();
    for (let row = first; row <= last; row += 1) keys.add(this.#placeOf(row).key);
    this.#visible = [...keys];
    for (const [key, loading] of this.#loading) {
      if (!keys.has(key)) loading.abort();
    }
    for (const key of keys) this.#touch(key);
    this.#loadMissing();
  }

  /** Reloads the visible rows, which stay visible meanwhile. */
  reload(): void {
    this.#hasFailed = false;
    for (const key of this.#chunks.keys()) this.#stale.add(key);
    // Rows that are on their way may be outdated too.
    for (const loading of this.#loading.values()) loading.abort();
    this.#loadMissing();
  }

  close(): void {
    this.#visible = [];
    for (const loading of this.#loading.values()) loading.abort();
  }

  #placeOf(row: number) {
    const at = segmentAt(this.#options.segments, row);
    const offset = row - (this.#options.segments[at]?.first ?? 0);
    return { key: `${at} ${Math.floor(offset / CHUNK)}`, within: offset % CHUNK };
  }

  /** Marks a chunk as recently used (LRU). */
  #touch(key: string): void {
    const rows = this.#chunks.get(key);
    if (rows === undefined) return;
    this.#chunks.delete(key);
    this.#chunks.set(key, rows);
  }

  #loadMissing(): void {
    if (this.#hasFailed) return;
    const missing = this.#visible.filter(
      (key) => !this.#loading.has(key) && (this.#stale.has(key) || !this.#chunks.has(key)),
    );
    for (const key of missing) {
      if (this.#loading.size >= MAX_PARALLEL) return;
      void this.#load(key);
    }
  }

  async #load(key: string): Promise<void> {
    const loading = new AbortController();
    this.#loading.set(key, loading);
    try {
      await this.#loadChunk(key, loading.signal);
    } catch (error) {
      if (!loading.signal.aborted) this.#fail(error);
    } finally {
      this.#loading.delete(key);
    }
    this.#loadMissing();
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    if (error instanceof SegmentChanged) this.#options.onOutdated();
    else this.#options.onError(error);
  }

  async #loadChunk(key: string, signal: AbortSignal): Promise<void> {
    const [at = 0, chunk = 0] = key.split(' ').map(Number);
    const loaded = await this.#readerOf(at)?.rows(chunk * CHUNK, CHUNK, signal);
    if (loaded === undefined) return;
    this.#stale.delete(key);
    this.#chunks.set(key, loaded.rows);
    const [oldest] = this.#chunks.keys();
    if (this.#chunks.size > MAX_CHUNKS && oldest !== undefined) this.#chunks.delete(oldest);
    this.#version += 1;
    for (const listener of this.#listeners) listener();
    if (!loaded.isComplete) this.#options.onOutdated();
  }

  #readerOf(at: number): SegmentReader | SortedReader | undefined {
    const { segments, order, sort, fetchPage } = this.#options;
    const segment = segments[at];
    const known = this.#readers.get(at);
    if (known !== undefined || segment === undefined) return known;
    const reader =
      sort === undefined
        ? new SegmentReader(segment, order, fetchPage)
        : new SortedReader({ sort, order, count: segment.count }, fetchPage);
    this.#readers.set(at, reader);
    return reader;
  }
}
