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

export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #queue = new PriorityQueue<() => void>();
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

  /** Waits for a permit, which the caller must release. Throws QueueFull if too many callers wait. */
  async acquire(signal?: AbortSignal, priority: Priority = 'new'): Promise<void> {
    signal?.throwIfAborted();
    const isFull = this.#free === 0 && this.#queue.sizeOf(priority) >= this.#options.maxQueue;
    // Refusing resumed work would cut a response that has already begun.
    if (isFull && priority !== 'resumed') throw new QueueFull('Too many callers wait.');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      if (this.#queue.remove(resolve, priority)) reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#queue.push(resolve, priority);
    this.#grant();
    try {
      await promise;
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
