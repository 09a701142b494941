/** Fixed-size pool of resources with a priority queue. */

import { type PermitRequest, Semaphore, type SemaphoreUsage } from './semaphore.ts';

export interface PooledResource<Resource> {
  /** Unique in the pool. */
  readonly name: string;
  readonly resource: Resource;
}

export interface PoolOptions<Resource> {
  /** The first part of the name of each resource. */
  readonly name: string;
  readonly size: number;
  /** How many resources one client may use at a time; all by default. */
  readonly sizePerClient?: number | undefined;
  /** How many callers may wait in each priority, except `resumed`, which has no limit. */
  readonly maxQueue: number;
  /** Opens a resource. Called only when no idle one is left. */
  readonly open: (name: string) => Resource;
}

export class Pool<Resource> {
  readonly #options: PoolOptions<Resource>;
  readonly #semaphore: Semaphore;
  readonly #idle: PooledResource<Resource>[] = [];
  readonly #all: PooledResource<Resource>[] = [];

  constructor(options: PoolOptions<Resource>) {
    this.#options = options;
    const { size, sizePerClient, maxQueue } = options;
    this.#semaphore = new Semaphore({
      permits: size,
      permitsPerClient: sizePerClient,
      maxQueue,
      isPaced: true,
    });
  }

  /** Whether callers wait because every resource is in use. */
  get isContended(): boolean {
    return this.#semaphore.isContended;
  }

  get usage(): SemaphoreUsage {
    return this.#semaphore.usage;
  }

  /** Waits for a resource, which the caller must release. Throws QueueFull if too many callers wait. */
  async acquire(claim?: PermitRequest): Promise<PooledResource<Resource>> {
    await this.#semaphore.acquire(claim);
    try {
      return this.#idle.pop() ?? this.#open();
    } catch (error) {
      this.#semaphore.release(claim?.client);
      throw error;
    }
  }

  /** Takes a resource back from the client that acquired it. */
  release(lease: PooledResource<Resource>, client?: string): void {
    this.#idle.push(lease);
    this.#semaphore.release(client);
  }

  /** Every resource that was opened. */
  all(): readonly Resource[] {
    return this.#all.map(({ resource }) => resource);
  }

  #open(): PooledResource<Resource> {
    const name = `${this.#options.name}-${this.#all.length + 1}`;
    const lease = { name, resource: this.#options.open(name) };
    this.#all.push(lease);
    return lease;
  }
}
