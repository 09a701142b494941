/** Long polling of the change feed, with one watch for all waiting readers instead of a statement for each. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Selection } from '../../plan/list-plan.ts';
import type { PublicationLog } from './publication-log.ts';

/** Milliseconds between two checks for readers that have waited long enough, or have left. */
const TICK = 100;

/**
 * Milliseconds between two checks for a publication. 0 means each tick: on the embedded engine, a check without
 * changes is free. On ClickHouse servers, each check is a statement.
 */
const EMBEDDED_INTERVAL = 0;
const SERVERS_INTERVAL = 1000;

/** A waiting reader. There may be ten thousand, so none has its own timer, listener or asynchronous function. */
interface Waiter {
  /** Up to this publication number, there are no changes for the reader. */
  number: number;
  readonly publisherIds: Selection['publisherIds'];
  /** When the wait times out, by the clock of `performance.now()`. */
  readonly until: number;
  readonly signal: AbortSignal;
  readonly resolve: (number: number) => void;
  readonly reject: (reason: unknown) => void;
}

export class ChangeWaiters {
  readonly #publications: PublicationLog;
  readonly #interval: number;
  readonly #waiting = new Set<Waiter>();
  #watch: Promise<void> | undefined;
  #isLooking = false;
  #isClosed = false;

  constructor(publications: PublicationLog) {
    this.#publications = publications;
    this.#interval = publications.isExact ? EMBEDDED_INTERVAL : SERVERS_INTERVAL;
  }

  /** The number of waiting readers. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Waits until there may be changes after a publication number, until `milliseconds` have passed, or until
   * the server stops. Returns the number up to which there are none. An abort is noticed at the next tick.
   */
  wait(
    number: number,
    publisherIds: Selection['publisherIds'],
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<number> {
    if (this.#isClosed) return Promise.resolve(number);
    const until = performance.now() + milliseconds;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#waiting.add({ number, publisherIds, until, signal, resolve, reject });
    this.#watch ??= this.#watchPublications();
    return promise;
  }

  /** Ends all waits: the readers get an empty response. */
  close(): void {
    this.#isClosed = true;
    for (const waiter of this.#waiting) this.#wake(waiter);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Looks for new publications and ends waits that time out. Returns when nobody waits. */
  async #watchPublications(): Promise<void> {
    for (let lookAt = 0; this.#waiting.size > 0 && !this.#isClosed; await delay(TICK)) {
      const now = performance.now();
      this.#endWaits(now);
      if (now < lookAt || this.#isLooking) continue;
      lookAt = now + this.#interval;
      this.#isLooking = true;
      // After a failure, the next check tries again.
      void this.#look()
        .catch(() => undefined)
        .finally(() => {
          this.#isLooking = false;
        });
    }
    this.#watch = undefined;
  }

  #endWaits(now: number): void {
    for (const waiter of this.#waiting) {
      if (waiter.signal.aborted) {
        this.#waiting.delete(waiter);
        waiter.reject(waiter.signal.reason);
      } else if (waiter.until <= now) {
        this.#wake(waiter);
      }
    }
  }

  #wake(waiter: Waiter): void {
    this.#waiting.delete(waiter);
    waiter.resolve(waiter.number);
  }

  async #look(): Promise<void> {
    const { newest } = await this.#publications.head();
    const behind = [...this.#waiting].filter(({ number }) => number < newest);
    if (behind.length === 0) return;
    const oldest = behind.reduce((least, { number }) => Math.min(least, number), newest);
    const changed = await this.#publications.publishersBetween(oldest, newest);
    for (const waiter of behind) {
      if (concerns(changed, waiter.publisherIds)) this.#wake(waiter);
      else waiter.number = newest;
    }
  }
}

const concerns = (
  changed: ReadonlySet<number> | 'all',
  publisherIds: Selection['publisherIds'],
): boolean =>
  changed === 'all' ||
  (publisherIds === 'all' ? changed.size > 0 : publisherIds.some((id) => changed.has(id)));
