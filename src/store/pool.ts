/**
 * Lends resources of which there are few, each to one borrower at a time, in the order of asking.
 *
 * Whoever goes on with something waits behind those who begin: small things are not held up.
 */

import { EngineBusy } from './engine.ts';

export interface Lease<Resource> {
  /** A name of its own among the resources of the pool. */
  readonly name: string;
  readonly resource: Resource;
}

export interface PoolOptions<Resource> {
  /** What the names of the resources begin with. */
  readonly kind: string;
  readonly size: number;
  /** How many may wait; whoever comes then is turned away. */
  readonly longestQueue: number;
  readonly open: (name: string) => Resource;
}

type Receiver<Resource> = (lease: Lease<Resource>) => void;

export class Pool<Resource> {
  readonly #options: PoolOptions<Resource>;
  readonly #idle: Lease<Resource>[] = [];
  readonly #all: Lease<Resource>[] = [];
  /** Those who begin, and those who go on. */
  readonly #waiting: readonly [Receiver<Resource>[], Receiver<Resource>[]] = [[], []];

  constructor(options: PoolOptions<Resource>) {
    this.#options = options;
  }

  /** Whether somebody waits for a resource. */
  get isContended(): boolean {
    return this.#waiting.some((queue) => queue.length > 0);
  }

  /** A resource that nobody else uses, as soon as there is one; throws EngineBusy where too many wait. */
  async lend(signal: AbortSignal, isGoingOn = false): Promise<Lease<Resource>> {
    signal.throwIfAborted();
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#all.length < this.#options.size) return this.#add();
    const queue = this.#waiting[isGoingOn ? 1 : 0];
    // What has begun is not turned away: it would be cut.
    if (!isGoingOn && queue.length >= this.#options.longestQueue) throw new EngineBusy();
    return await new Promise<Lease<Resource>>((resolve, reject) => {
      const receive = (lease: Lease<Resource>) => {
        signal.removeEventListener('abort', leave);
        resolve(lease);
      };
      const leave = () => {
        queue.splice(queue.indexOf(receive), 1);
        reject(signal.reason);
      };
      queue.push(receive);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  giveBack(lease: Lease<Resource>): void {
    const [beginning, goingOn] = this.#waiting;
    const next = beginning.shift() ?? goingOn.shift();
    if (next === undefined) this.#idle.push(lease);
    else next(lease);
  }

  /** Every resource that was opened. */
  all(): readonly Resource[] {
    return this.#all.map(({ resource }) => resource);
  }

  #add(): Lease<Resource> {
    const { kind, open } = this.#options;
    const name = `${kind}-${this.#all.length + 1}`;
    const lease = { name, resource: open(name) };
    this.#all.push(lease);
    return lease;
  }
}
