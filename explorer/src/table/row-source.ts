/** The rows of a list, read where they are looked at: any place of it without what is before. */

import type { Order } from '../../../src/contract/query/parameters.ts';
import type { Question, Values } from '../query/question.ts';
import { type ReadPart, SegmentChanged, SegmentReader } from './segment-reader.ts';
import { countIn, type Segment, segmentAt } from './segments.ts';

export interface RowSourceParts {
  /** What the rows are the answer to. */
  readonly question: Question;
  readonly segments: readonly Segment[];
  readonly order: Order;
  readonly read: ReadPart;
  failed(error: unknown): void;
  /** The segments are no longer right. */
  changed(): void;
}

/** Rows that are read at a time. */
const CHUNK = 200;
/** Chunks that are kept. */
const KEPT = 60;
const AT_ONCE = 2;

export class RowSource {
  readonly count: number;
  readonly question: Question;
  readonly #parts: RowSourceParts;
  readonly #chunks = new Map<string, readonly Values[]>();
  /** Chunks that are shown until they have been read anew. */
  readonly #stale = new Set<string>();
  readonly #loading = new Map<string, AbortController>();
  readonly #readers = new Map<number, SegmentReader>();
  readonly #listeners = new Set<() => void>();
  #wanted: readonly string[] = [];
  #version = 0;
  #hasFailed = false;

  constructor(parts: RowSourceParts) {
    this.#parts = parts;
    this.question = parts.question;
    this.count = countIn(parts.segments);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Another number whenever there is another row to show. */
  readonly version = (): number => this.#version;

  /** Undefined as long as it has not been read. */
  rowAt(row: number): Values | undefined {
    const place = this.#placeOf(row);
    return this.#chunks.get(place.key)?.[place.within];
  }

  /** Reads what is looked at, and no longer what was. */
  want(first: number, last: number): void {
    const keys = new Set<string>();
    for (let row = first; row <= last; row += 1) keys.add(this.#placeOf(row).key);
    this.#wanted = [...keys];
    for (const [key, loading] of this.#loading) {
      if (!keys.has(key)) loading.abort();
    }
    for (const key of keys) this.#use(key);
    this.#readOn();
  }

  /** Reads what is looked at once more; until then it stays as it was. */
  reread(): void {
    this.#hasFailed = false;
    for (const key of this.#chunks.keys()) this.#stale.add(key);
    this.#readOn();
  }

  close(): void {
    this.#wanted = [];
    for (const loading of this.#loading.values()) loading.abort();
  }

  #placeOf(row: number) {
    const at = segmentAt(this.#parts.segments, row);
    const offset = row - (this.#parts.segments[at]?.first ?? 0);
    return { key: `${at} ${Math.floor(offset / CHUNK)}`, within: offset % CHUNK };
  }

  /** What was used last is forgotten last. */
  #use(key: string): void {
    const rows = this.#chunks.get(key);
    if (rows === undefined) return;
    this.#chunks.delete(key);
    this.#chunks.set(key, rows);
  }

  #readOn(): void {
    if (this.#hasFailed) return;
    const missing = this.#wanted.filter(
      (key) => !this.#loading.has(key) && (this.#stale.has(key) || !this.#chunks.has(key)),
    );
    for (const key of missing) {
      if (this.#loading.size >= AT_ONCE) return;
      void this.#load(key);
    }
  }

  async #load(key: string): Promise<void> {
    const loading = new AbortController();
    this.#loading.set(key, loading);
    try {
      await this.#read(key, loading.signal);
    } catch (error) {
      if (!loading.signal.aborted) this.#fail(error);
    } finally {
      this.#loading.delete(key);
    }
    this.#readOn();
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    if (error instanceof SegmentChanged) this.#parts.changed();
    else this.#parts.failed(error);
  }

  async #read(key: string, signal: AbortSignal): Promise<void> {
    const [at = 0, chunk = 0] = key.split(' ').map(Number);
    const found = await this.#readerOf(at)?.rows(chunk * CHUNK, CHUNK, signal);
    if (found === undefined) return;
    this.#stale.delete(key);
    this.#chunks.set(key, found.rows);
    const [oldest] = this.#chunks.keys();
    if (this.#chunks.size > KEPT && oldest !== undefined) this.#chunks.delete(oldest);
    this.#version += 1;
    for (const listener of this.#listeners) listener();
    if (!found.isAsCounted) this.#parts.changed();
  }

  #readerOf(at: number): SegmentReader | undefined {
    const { segments, order, read } = this.#parts;
    const segment = segments[at];
    const known = this.#readers.get(at);
    if (known !== undefined || segment === undefined) return known;
    const reader = new SegmentReader(segment, order, read);
    this.#readers.set(at, reader);
    return reader;
  }
}
