/**
 * Lends resources of which there are few, each to one borrower at a time, by rank and in the order
 * of asking: small things are not held up, and nothing is for ever.
 */

import { availableParallelism } from 'node:os';
import { EngineBusy } from '../engine/engine.ts';
import { PRIORITIES, type Priority } from '../plan/sql.ts';

/**
 * How many answers an engine gives at a time, and how many more may wait for their turn.
 *
 * Two keep a core busy; each further one costs memory for every block that it has at hand.
 */
export const READERS = {
  kind: 'reader',
  size: Math.max(4, 2 * availableParallelism()),
  longestQueue: 512,
};
/** Answers that take every core: two, so that one works while another waits for its reader. */
export const SUMMARIES = { kind: 'summer', size: 2, longestQueue: 512 };
/** Answers that are written into files, which nobody's pace holds back. */
export const EXPORTS = { kind: 'exporter', size: 2, longestQueue: 64 };
/** The service's own affairs, such as looking up a token, never wait behind answers. */
export const METADATA = { kind: 'asker', size: 4, longestQueue: 4096 };

/** One in so many is served from behind. */
const LAST_FIRST = 8;

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

type Receiver<Resource> = (lend: () => Lease<Resource>) => void;

export class Pool<Resource> {
  readonly #options: PoolOptions<Resource>;
  readonly #idle: Lease<Resource>[] = [];
  readonly #all: Lease<Resource>[] = [];
  readonly #waiting: Readonly<Record<Priority, Receiver<Resource>[]>> = {
    small: [],
    beginning: [],
    'going on': [],
  };
  #handedOut = 0;
  #isResting = false;

  constructor(options: PoolOptions<Resource>) {
    this.#options = options;
  }

  /** Whether somebody waits because every resource is lent. */
  get isContended(): boolean {
    return !this.#hasResource && PRIORITIES.some((rank) => this.#waiting[rank].length > 0);
  }

  /** A resource that nobody else uses, as soon as there is one; throws EngineBusy where too many wait. */
  async lend(signal: AbortSignal, rank: Priority = 'beginning'): Promise<Lease<Resource>> {
    signal.throwIfAborted();
    const queue = this.#waiting[rank];
    // What has begun is not turned away: it would be cut.
    const isFull = !this.#hasResource && queue.length >= this.#options.longestQueue;
    if (isFull && rank !== 'going on') throw new EngineBusy();
    return await new Promise<Lease<Resource>>((resolve, reject) => {
      const receive: Receiver<Resource> = (lend) => {
        signal.removeEventListener('abort', leave);
        try {
          resolve(lend());
        } catch (cause) {
          reject(cause);
        }
      };
      const leave = () => {
        queue.splice(queue.indexOf(receive), 1);
        reject(signal.reason);
      };
      queue.push(receive);
      signal.addEventListener('abort', leave, { once: true });
      this.#handOut();
    });
  }

  giveBack(lease: Lease<Resource>): void {
    this.#idle.push(lease);
    this.#handOut();
  }

  /** Every resource that was opened. */
  all(): readonly Resource[] {
    return this.#all.map(({ resource }) => resource);
  }

  get #hasResource(): boolean {
    return this.#idle.length > 0 || this.#all.length < this.#options.size;
  }

  /**
   * Hands out one resource in a turn of the event loop.
   *
   * To begin a question blocks it for milliseconds, so a crowd that goes on at the same moment would
   * hold up everything else.
   */
  #handOut(): void {
    if (this.#isResting || !this.#hasResource) return;
    const receive = this.#next();
    if (receive === undefined) return;
    this.#handedOut += 1;
    this.#isResting = true;
    setImmediate(() => {
      this.#isResting = false;
      this.#handOut();
    });
    receive(() => this.#idle.pop() ?? this.#add());
  }

  /** Who is served next: now and then the last rank, so that a crowd before it does not keep it out. */
  #next(): Receiver<Resource> | undefined {
    const isOfLast = this.#handedOut % LAST_FIRST === LAST_FIRST - 1;
    const ranks = isOfLast ? PRIORITIES.toReversed() : PRIORITIES;
    const rank = ranks.find((each) => this.#waiting[each].length > 0);
    return rank === undefined ? undefined : this.#waiting[rank].shift();
  }

  #add(): Lease<Resource> {
    const { kind, open } = this.#options;
    const name = `${kind}-${this.#all.length + 1}`;
    const lease = { name, resource: open(name) };
    this.#all.push(lease);
    return lease;
  }
}
