/** The rows of a list, read where they are looked at: any place of it without what is before. */

import type { RowsPage } from '../../../client/src/index.ts';
import type { Question, Values } from '../question.ts';
import { countIn, type Segment, segmentAt } from './segments.ts';

type ReadPage = (
  question: Question,
  options: { readonly signal: AbortSignal },
) => Promise<RowsPage<Values>>;

export interface RowSourceParts {
  readonly segments: readonly Segment[];
  /** Without its days. */
  readonly question: Question;
  readonly read: ReadPage;
  failed(error: unknown): void;
  /** The segments are no longer right. */
  changed(): void;
}

/** Rows that are read at a time. */
const CHUNK = 200;
/** Rows that are passed over at a time within a day, on the way to a place far from its beginning. */
const STRIDE = 5000;
/** Chunks that are kept. */
const KEPT = 60;
const AT_ONCE = 2;

export class RowSource {
  readonly count: number;
  readonly #parts: RowSourceParts;
  readonly #chunks = new Map<string, readonly Values[]>();
  readonly #loading = new Map<string, AbortController>();
  readonly #cursors = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  #wanted: readonly string[] = [];
  #version = 0;
  #hasFailed = false;

  constructor(parts: RowSourceParts) {
    this.#parts = parts;
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

  retry(): void {
    this.#hasFailed = false;
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
    const missing = this.#wanted.filter((key) => !this.#chunks.has(key) && !this.#loading.has(key));
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
      if (!loading.signal.aborted) {
        this.#hasFailed = true;
        this.#parts.failed(error);
      }
    } finally {
      this.#loading.delete(key);
    }
    this.#readOn();
  }

  async #read(key: string, signal: AbortSignal): Promise<void> {
    const [at = 0, chunk = 0] = key.split(' ').map(Number);
    const segment = this.#parts.segments[at];
    if (segment === undefined) return;
    const offset = chunk * CHUNK;
    const cursor = await this.#cursorAt(at, segment, offset, signal);
    const { rows, next } = await this.#page(segment, CHUNK, cursor, signal);
    if (next !== undefined) this.#cursors.set(`${at} ${offset + CHUNK}`, next);
    this.#chunks.set(key, rows);
    const [oldest] = this.#chunks.keys();
    if (this.#chunks.size > KEPT && oldest !== undefined) this.#chunks.delete(oldest);
    this.#version += 1;
    for (const listener of this.#listeners) listener();
    if (rows.length !== Math.min(CHUNK, segment.count - offset)) this.#parts.changed();
  }

  /** The cursor of a place in a segment; goes there from the nearest place before it that is known. */
  async #cursorAt(
    at: number,
    segment: Segment,
    offset: number,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    let known = offset;
    while (known > 0 && !this.#cursors.has(`${at} ${known}`)) known -= CHUNK;
    let cursor = this.#cursors.get(`${at} ${known}`);
    while (known < offset) {
      const stride = Math.min(STRIDE, offset - known);
      const { next } = await this.#page(segment, stride, cursor, signal);
      known += stride;
      cursor = next;
      if (next === undefined) throw new RangeError('The day has fewer rows than it had.');
      this.#cursors.set(`${at} ${known}`, next);
    }
    return cursor;
  }

  async #page(segment: Segment, limit: number, cursor: string | undefined, signal: AbortSignal) {
    const { start, end } = segment;
    const days = { start_date: start, end_date: end, limit: String(limit) };
    const question = {
      ...this.#parts.question,
      ...days,
      ...(cursor === undefined ? {} : { cursor }),
    };
    return await this.#parts.read(question, { signal });
  }
}
