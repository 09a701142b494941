/** LRU cache of months with a limit in bytes. */

import type { Month } from './month.ts';

/** Milliseconds after its last use during which a month is not dropped for a requested one. */
const IN_USE = 60_000;

interface Entry {
  readonly key: string;
  readonly month: Month;
  usedAt: number;
}

export class MonthStore {
  readonly #capacity: number;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /** Holds at most `capacity` bytes. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get free(): number {
    return this.#capacity - this.#bytes;
  }

  /** A month, without counting as a use. */
  peek(key: string): Month | undefined {
    return this.#entries.get(key)?.month;
  }

  use(key: string): Month | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.usedAt = performance.now();
    return entry?.month;
  }

  /** Whether so many bytes fit if only months that are not in use are dropped. */
  canHold(bytes: number): boolean {
    const now = performance.now();
    const unused = [...this.#entries.values()].filter(({ usedAt }) => now - usedAt > IN_USE);
    return this.free + unused.reduce((all, { month }) => all + month.bytes, 0) >= bytes;
  }

  /** Replaces the former version of a month. A new month counts as never used. */
  put(key: string, month: Month): void {
    const former = this.#entries.get(key);
    this.#bytes += month.bytes - (former?.month.bytes ?? 0);
    const usedAt = former?.usedAt ?? Number.NEGATIVE_INFINITY;
    this.#entries.set(key, { key, month, usedAt });
    while (this.#bytes > this.#capacity) this.#drop();
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.month.bytes ?? 0;
    this.#entries.delete(key);
  }

  /** Drops the least recently used month; of those that were never used, the oldest one. */
  #drop(): void {
    const [first, ...others] = this.#entries.values();
    if (first === undefined) return;
    const { key } = others.reduce((one, other) => (isLess(other, one) ? other : one), first);
    this.delete(key);
  }
}

const isLess = (one: Entry, other: Entry): boolean =>
  one.usedAt === other.usedAt
    ? one.month.content.partition < other.month.content.partition
    : one.usedAt < other.usedAt;
