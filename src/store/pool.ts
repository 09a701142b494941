/** Lends resources of which there are few, each to one borrower at a time, in the order of asking. */

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

export class Pool<Resource> {
  readonly #options: PoolOptions<Resource>;
  readonly #idle: Lease<Resource>[] = [];
  readonly #all: Lease<Resource>[] = [];
  readonly #waiting: ((lease: Lease<Resource>) => void)[] = [];

  constructor(options: PoolOptions<Resource>) {
    this.#options = options;
  }

  /** Whether somebody waits for a resource. */
  get isContended(): boolean {
    return this.#waiting.length > 0;
  }

  /** A resource that nobody else uses, as soon as there is one; throws EngineBusy where too many wait. */
  async lend(signal: AbortSignal): Promise<Lease<Resource>> {
    signal.throwIfAborted();
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#all.length < this.#options.size) return this.#add();
    if (this.#waiting.length >= this.#options.longestQueue) throw new EngineBusy();
    return await new Promise<Lease<Resource>>((resolve, reject) => {
      const receive = (lease: Lease<Resource>) => {
        signal.removeEventListener('abort', leave);
        resolve(lease);
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(receive), 1);
        reject(signal.reason);
      };
      this.#waiting.push(receive);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  giveBack(lease: Lease<Resource>): void {
    const next = this.#waiting.shift();
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
