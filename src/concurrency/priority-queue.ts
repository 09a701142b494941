/** Priority queue with ageing: clients take turns within a priority, and no priority starves. */

import { type MayServe, TurnQueue } from './turn-queue.ts';

/**
 * The priorities, highest first. `small` is a page of a list or of changes. `resumed` continues a response
 * that has already sent a part of its rows. `new` is everything else.
 */
export const PRIORITIES = ['small', 'new', 'resumed'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Where an item waits. */
export interface Place {
  readonly priority: Priority;
  readonly client: string;
}

/** About how many items of higher priorities are served while the first item of this priority waits. */
const PATIENCE: Readonly<Record<Priority, number>> = { small: 0, new: 8, resumed: 16 };

/** The maximum number of items of other priorities that are served before the first item of this one. */
export const mostOvertaken = (priority: Priority): number =>
  PATIENCE[priority] + PRIORITIES.length - 1;

interface Lane<Item> {
  readonly items: TurnQueue<Item>;
  /** The number of served items at which this lane is due. The lane with the lowest number is served next. */
  due: number;
}

export class PriorityQueue<Item> {
  readonly #lanes: Readonly<Record<Priority, Lane<Item>>> = {
    small: { items: new TurnQueue(), due: 0 },
    new: { items: new TurnQueue(), due: 0 },
    resumed: { items: new TurnQueue(), due: 0 },
  };
  #served = 0;

  get size(): number {
    return PRIORITIES.reduce((sum, priority) => sum + this.sizeOf(priority), 0);
  }

  sizeOf(priority: Priority): number {
    return this.#lanes[priority].items.size;
  }

  push(item: Item, { priority, client }: Place): void {
    const lane = this.#lanes[priority];
    if (lane.items.size === 0) lane.due = this.#served + PATIENCE[priority];
    lane.items.push(item, client);
  }

  /** Takes out the next item of a client that may be served; undefined if there is none. */
  shift(mayServe: MayServe = () => true): Item | undefined {
    const [first, ...others] = PRIORITIES.filter((each) =>
      this.#lanes[each].items.hasFor(mayServe),
    );
    if (first === undefined) return undefined;
    const isEarlier = (one: Priority, other: Priority) =>
      this.#lanes[one].due < this.#lanes[other].due;
    const next = others.reduce((best, each) => (isEarlier(each, best) ? each : best), first);
    const lane = this.#lanes[next];
    this.#served += 1;
    lane.due = this.#served + PATIENCE[next];
    return lane.items.shift(mayServe);
  }

  /** Takes an item out before its turn; false if it is not in the queue. */
  remove(item: Item, { priority, client }: Place): boolean {
    return this.#lanes[priority].items.remove(item, client);
  }
}
