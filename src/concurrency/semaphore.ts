/** Counting semaphore with a bounded priority queue in which clients take turns. */

import { type Place, type Priority, PriorityQueue } from './priority-queue.ts';

/** A semaphore refuses a caller because its queue is full. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

export interface SemaphoreOptions {
  /** How many callers may hold a permit at a time. */
  readonly permits: number;
  /** How many permits one client may hold; all by default. */
  readonly permitsPerClient?: number | undefined;
  /** How many callers may wait in each priority, except `resumed`, which has no limit. */
  readonly maxQueue: number;
  /**
   * Grants one permit in each turn of the event loop, so that many callers that start expensive work
   * at the same moment do not block the loop.
   */
  readonly isPaced?: boolean;
}

/** A request for a permit. */
export interface PermitRequest {
  /** An abort ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** `new` by default. */
  readonly priority?: Priority | undefined;
  /** Undefined for work of the service itself, which `permitsPerClient` does not limit. */
  readonly client?: string | undefined;
}

/** The client under which work of the service itself waits. */
const SERVICE = '';

interface Waiting {
  readonly client: string;
  readonly grant: () => void;
}

/** Callers of one priority. */
export interface QueueUsage {
  /** How many wait now. */
  readonly waiting: number;
  /** How many have got a permit so far. */
  readonly granted: number;
  /** Seconds that the granted ones had waited, in total. */
  readonly waitedSeconds: number;
}

export interface SemaphoreUsage {
  readonly permits: number;
  readonly running: number;
  readonly queues: Readonly<Record<Priority, QueueUsage>>;
}

export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #queue = new PriorityQueue<Waiting>();
  readonly #waits: Record<Priority, { granted: number; milliseconds: number }> = {
    small: { granted: 0, milliseconds: 0 },
    new: { granted: 0, milliseconds: 0 },
    resumed: { granted: 0, milliseconds: 0 },
  };
  /** The permits of each client. */
  readonly #held = new Map<string, number>();
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
  async acquire({ signal, priority = 'new', client = SERVICE }: PermitRequest = {}): Promise<void> {
    signal?.throwIfAborted();
    const mustWait = this.#free === 0 || !this.#mayHoldMore(client);
    const isFull = mustWait && this.#queue.sizeOf(priority) >= this.#options.maxQueue;
    // Refusing resumed work would cut a response that has already begun.
    if (isFull && priority !== 'resumed') throw new QueueFull('Too many callers wait.');
    await this.#wait({ priority, client }, signal);
  }

  /** Returns a permit of a client. */
  release(client = SERVICE): void {
    const left = (this.#held.get(client) ?? 0) - 1;
    if (left > 0) this.#held.set(client, left);
    else this.#held.delete(client);
    this.#free += 1;
    this.#grant();
  }

  async #wait(place: Place, signal: AbortSignal | undefined): Promise<void> {
    const asked = performance.now();
    const { promise, resolve: grant, reject } = Promise.withResolvers<void>();
    const waiting = { client: place.client, grant };
    const leave = () => {
      if (this.#queue.remove(waiting, place)) reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#queue.push(waiting, place);
    this.#grant();
    try {
      await promise;
      this.#waits[place.priority].granted += 1;
      this.#waits[place.priority].milliseconds += performance.now() - asked;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #mayHoldMore(client: string): boolean {
    const { permitsPerClient = Number.POSITIVE_INFINITY } = this.#options;
    return client === SERVICE || (this.#held.get(client) ?? 0) < permitsPerClient;
  }

  #grant(): void {
    if (this.#isPausing || this.#free === 0) return;
    const next = this.#queue.shift((client) => this.#mayHoldMore(client));
    if (next === undefined) return;
    this.#free -= 1;
    this.#held.set(next.client, (this.#held.get(next.client) ?? 0) + 1);
    if (this.#options.isPaced) this.#pause();
    next.grant();
  }

  #pause(): void {
    this.#isPausing = true;
    setImmediate(() => {
      this.#isPausing = false;
      this.#grant();
    });
  }
}
