/** Fills the month cache in the background: changed months first, then requested ones, then other missing ones. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Reader } from '../engine/engine.ts';
import type { TableParts } from '../reading/table-parts.ts';
import type { TableVersions } from '../reading/table-versions.ts';
import type { CachedMonth } from './cached-month.ts';
import { isUpdatable, MonthLoader } from './month-loader.ts';
import { MonthSizes, type StoredMonth } from './month-sizes.ts';
import { MONTH_TABLES, type MonthTable } from './month-statement.ts';
import type { MonthStore } from './month-store.ts';

/** Milliseconds between two checks for writes. */
const CHECK_INTERVAL = 100;

/** Milliseconds of pause after a failure of the engine. */
const PAUSE = 1000;

export interface FillerDeps {
  readonly reader: Reader;
  readonly versions: TableVersions;
  readonly store: MonthStore;
}

interface Place extends StoredMonth {
  /** The lower, the earlier it is filled. */
  readonly rank: number;
}

export const monthKey = ({ table }: MonthTable, partition: string): string =>
  `${table} ${partition}`;

export class MonthFiller {
  readonly #deps: FillerDeps;
  readonly #loader: MonthLoader;
  readonly #closing = new AbortController();
  readonly #wanted = new Set<string>();
  readonly #sizes = new MonthSizes();
  #version: number | undefined;
  #forgotten = 0;
  #running: Promise<void> | undefined;
  #checks: NodeJS.Timeout | undefined;

  constructor(deps: FillerDeps) {
    this.#deps = deps;
    this.#loader = new MonthLoader({ ...deps, signal: this.#closing.signal });
  }

  start(): void {
    this.#checks = setInterval(() => this.#check(), CHECK_INTERVAL).unref();
    this.#wake();
  }

  /** Checks for writes now. */
  refresh(): void {
    this.#check();
  }

  /** Requests a month that is missing. */
  want(key: string): void {
    this.#wanted.add(key);
    this.#wake();
  }

  /** Empties the store. A month that is being read may have rows from before the call, so it is not stored. */
  forget(): void {
    this.#forgotten += 1;
    this.#deps.store.clear();
    this.#sizes.forgetTooLarge();
    this.#version = undefined;
    this.#wake();
  }

  /** Waits until nothing is left to read. */
  async settled(): Promise<void> {
    do {
      this.#wake();
      await this.#running;
    } while (this.#isBehind());
  }

  async close(): Promise<void> {
    clearInterval(this.#checks);
    this.#closing.abort();
    await this.#running;
  }

  get #isActive(): boolean {
    return this.#checks !== undefined && !this.#closing.signal.aborted;
  }

  #isBehind(): boolean {
    const isChanged = this.#version !== this.#deps.reader.versions?.all || this.#wanted.size > 0;
    return this.#isActive && isChanged;
  }

  #check(): void {
    if (this.#isBehind()) this.#wake();
  }

  #wake(): void {
    if (!this.#isActive) return;
    this.#running ??= this.#fillAll().finally(() => {
      this.#running = undefined;
    });
  }

  async #fillAll(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        this.#version = this.#deps.reader.versions?.all;
        const next = this.#next(await this.#deps.versions.parts());
        if (next === undefined) return;
        await this.#fill(next);
      } catch {
        // Requests do not fail: the engine answers them meanwhile.
        await delay(PAUSE, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async #fill(place: Place): Promise<void> {
    const forgotten = this.#forgotten;
    const month = await this.#read(place);
    if (month === undefined || forgotten !== this.#forgotten) return;
    this.#sizes.noteRead(place, month);
    this.#deps.store.put(place.key, month);
  }

  async #read(place: Place): Promise<CachedMonth | undefined> {
    const { key, table, partition } = place;
    const { store } = this.#deps;
    const known = store.peek(key);
    if (known !== undefined && isUpdatable(known, partition)) {
      return await this.#loader.update(known, partition);
    }
    // Old and new rows together would take twice the memory.
    store.delete(key);
    const month = await this.#loader.load(table, partition, store.capacity);
    if (month === undefined) this.#sizes.noteTooLarge(place);
    return month;
  }

  /** The month to read next. */
  #next(parts: TableParts): Place | undefined {
    const { store } = this.#deps;
    const places = placesOf(parts);
    store.keepOnly(new Set(places.map(({ key }) => key)));
    // A month that has outgrown the cache is treated like a missing one.
    for (const place of places) if (this.#isOutgrown(place)) store.delete(place.key);
    const stale = places.find(
      ({ key, partition }) => store.peek(key)?.isCurrent(partition) === false,
    );
    if (stale !== undefined) return stale;
    const missing = places.filter(({ key }) => store.peek(key) === undefined);
    const wanted = missing.find(
      (place) => this.#wanted.has(place.key) && store.canHold(this.#sizes.expectedBytes(place)),
    );
    // The next request for a missing month adds it again.
    this.#wanted.clear();
    return wanted ?? missing.find((place) => this.#sizes.expectedBytes(place) <= store.free);
  }

  /** Whether a cached month must be read again, and is expected to exceed the capacity by far: replaced rows count twice. */
  #isOutgrown(place: Place): boolean {
    const { store } = this.#deps;
    const known = store.peek(place.key);
    if (known === undefined || isUpdatable(known, place.partition)) return false;
    return this.#sizes.expectedBytes(place) > 2 * store.capacity;
  }
}

/** All months in the order in which they are filled: the newest first, in the ratio of `months` by table. */
function placesOf(parts: TableParts): readonly Place[] {
  const places = Object.values(MONTH_TABLES).flatMap((table) =>
    (parts.get(table.table) ?? []).toReversed().map((partition, age) => ({
      rank: (age + 1) / table.months,
      key: monthKey(table, partition.partition),
      table,
      partition,
    })),
  );
  return places.sort((one, other) => one.rank - other.rank);
}
