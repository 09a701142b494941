/** LRU cache of months with a limit in bytes. */

import type { CachedMonth } from './cached-month.ts';

/** Milliseconds after a request for which a month is in use: it is not dropped to make room for another request. */
const IN_USE = 60_000;

export class MonthStore {
  /** The most bytes of all months together. */
  readonly capacity: number;
  readonly #months = new Map<string, CachedMonth>();
  /** The times of the last requests, also of months that are not held. */
  readonly #usedAt = new Map<string, number>();
  #bytes = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get free(): number {
    return this.capacity - this.#bytes;
  }

  /** A month, without counting as a use. */
  peek(key: string): CachedMonth | undefined {
    return this.#months.get(key);
  }

  use(key: string): CachedMonth | undefined {
    this.#usedAt.set(key, performance.now());
    return this.#months.get(key);
  }

  /** Whether so many bytes fit if only months that are not in use are dropped. */
  canHold(bytes: number): boolean {
    const since = performance.now() - IN_USE;
    const unused = [...this.#months].filter(([key]) => this.#lastUse(key) < since);
    return this.free + unused.reduce((all, [, month]) => all + month.bytes, 0) >= bytes;
  }

  /** Adds a month, or replaces its earlier version. Drops months while the capacity is exceeded. */
  put(key: string, month: CachedMonth): void {
    this.delete(key);
    this.#months.set(key, month);
    this.#bytes += month.bytes;
    while (this.#bytes > this.capacity) this.#drop();
  }

  delete(key: string): void {
    this.#bytes -= this.#months.get(key)?.bytes ?? 0;
    this.#months.delete(key);
  }

  /** Deletes all other months, which retention has removed. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#months.keys()) if (!keys.has(key)) this.delete(key);
  }

  clear(): void {
    this.#months.clear();
    this.#bytes = 0;
  }

  /** Drops the least recently used month; of those that were never used, the oldest one. */
  #drop(): void {
    const [first, ...others] = [...this.#months].map(([key, { content }]) => ({
      key,
      usedAt: this.#lastUse(key),
      partition: content.partition,
    }));
    if (first === undefined) return;
    this.delete(others.reduce((one, other) => (isLess(other, one) ? other : one), first).key);
  }

  #lastUse(key: string): number {
    return this.#usedAt.get(key) ?? Number.NEGATIVE_INFINITY;
  }
}

interface Held {
  readonly usedAt: number;
  readonly partition: string;
}

const isLess = (one: Held, other: Held): boolean =>
  one.usedAt === other.usedAt ? one.partition < other.partition : one.usedAt < other.usedAt;
