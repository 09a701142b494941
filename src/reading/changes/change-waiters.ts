/** Long polling of the change feed: one watch for all waiting readers, and no statement for each. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Selection } from '../../plan/report-plan.ts';
import type { PublicationLog } from './publication-log.ts';

/** Milliseconds between two looks for a publication. On servers, each look is a statement. */
const EMBEDDED_INTERVAL = 100;
const SERVERS_INTERVAL = 1000;

interface Waiter {
  /** There is nothing for the reader up to this number. */
  number: number;
  readonly publisherIds: Selection['publisherIds'];
  readonly wake: () => void;
}

export class ChangeWaiters {
  readonly #publications: PublicationLog;
  readonly #interval: number;
  readonly #waiting = new Set<Waiter>();
  #watch: Promise<void> | undefined;
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
   * Waits until there may be changes after a number, or so many milliseconds, or until the server
   * stops. Returns the number up to which there are none.
   */
  async wait(
    number: number,
    publisherIds: Selection['publisherIds'],
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<number> {
    signal.throwIfAborted();
    if (this.#isClosed) return number;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { number, publisherIds, wake: resolve };
    const leave = () => reject(signal.reason);
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.add(waiter);
    this.#watch ??= this.#watchPublications();
    try {
      await promise;
      return waiter.number;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      this.#waiting.delete(waiter);
    }
  }

  /** Readers that wait get an empty response. */
  close(): void {
    this.#isClosed = true;
    for (const { wake } of this.#waiting) wake();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends when nobody waits. */
  async #watchPublications(): Promise<void> {
    while (this.#waiting.size > 0 && !this.#isClosed) {
      // A failure of the database is tried again; a reader that it concerns finds it out itself.
      await this.#look().catch(() => undefined);
      await delay(this.#interval);
    }
    this.#watch = undefined;
  }

  async #look(): Promise<void> {
    const { newest } = await this.#publications.head();
    const behind = [...this.#waiting].filter(({ number }) => number < newest);
    if (behind.length === 0) return;
    const oldest = behind.reduce((least, { number }) => Math.min(least, number), newest);
    const changed = await this.#publications.publishersBetween(oldest, newest);
    for (const waiter of behind) {
      if (concerns(changed, waiter.publisherIds)) waiter.wake();
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
