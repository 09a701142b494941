/** Counting semaphore with a bounded priority queue. */

import { type Priority, PriorityQueue } from './priority-queue.ts';

/** A semaphore refuses a caller because its queue is full. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

export interface SemaphoreOptions {
  /** How many callers may hold a permit at a time. */
  readonly permits: number;
  /** How many callers may wait in each priority. */
  readonly maxQueue: number;
  /**
   * Grants one permit in each turn of the event loop, so that a crowd of callers that start
   * expensive work at the same moment does not block it.
   */
  readonly isPaced?: boolean;
}

/** Callers of one priority. */
export interface QueueUsage {
  /** How many wait now. */
  readonly waiting: number;
  /** How many have got a permit so far. */
  readonly granted: number;
  /** Seconds that these had waited, in total. */
  readonly waitedSeconds: number;
}

export interface SemaphoreUsage {
  readonly permits: number;
  readonly running: number;
  readonly queues: Readonly<Record<Priority, QueueUsage>>;
}

export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #queue = new PriorityQueue<() => void>();
  readonly #waits: Record<Priority, { granted: number; milliseconds: number }> = {
    small: { granted: 0, milliseconds: 0 },
    new: { granted: 0, milliseconds: 0 },
    resumed: { granted: 0, milliseconds: 0 },
  };
  #free: number;
  #isPausing = false;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
    this.#free = options.permits;
  }

  /** Whether callers wait because no permit is free. */
  get isContended(): boolean {
    return this.#free === 0 && this.#queue.size > 0;
  }

  get usage(): SemaphoreUsage {
    const { permits } = this.#options;
    const usageOf = (priority: Priority): QueueUsage => {
      const { granted, milliseconds } = this.#waits[priority];
      const waiting = this.#queue.sizeOf(priority);
      return { waiting, granted, waitedSeconds: milliseconds / 1000 };
    };
    const queues = { small: usageOf('small'), new: usageOf('new'), resumed: usageOf('resumed') };
    return { permits, running: permits - this.#free, queues };
  }

  /** Waits for a permit, which the caller must release. Throws QueueFull if too many callers wait. */
  async acquire(signal?: AbortSignal, priority: Priority = 'new'): Promise<void> {
    signal?.throwIfAborted();
    const isFull = this.#free === 0 && this.#queue.sizeOf(priority) >= this.#options.maxQueue;
    // Refusing resumed work would cut a response that has already begun.
    if (isFull && priority !== 'resumed') throw new QueueFull('Too many callers wait.');
    const asked = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      if (this.#queue.remove(resolve, priority)) reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#queue.push(resolve, priority);
    this.#grant();
    try {
      await promise;
      this.#waits[priority].granted += 1;
      this.#waits[priority].milliseconds += performance.now() - asked;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  release(): void {
    this.#free += 1;
    this.#grant();
  }

  #grant(): void {
    if (this.#isPausing || this.#free === 0) return;
    const grant = this.#queue.shift();
    if (grant === undefined) return;
    this.#free -= 1;
    if (this.#options.isPaced) this.#pause();
    grant();
  }

  #pause(): void {
    this.#isPausing = true;
    setImmediate(() => {
      this.#isPausing = false;
      this.#grant();
    });
  }
}
