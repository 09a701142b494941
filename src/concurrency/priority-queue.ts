/** Priority queue with ageing: first in, first out within a priority, and no priority starves. */

/**
 * From the first to the last served. Resumed work continues a response that has already sent a part
 * of its rows.
 */
export const PRIORITIES = ['small', 'new', 'resumed'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** How many items the lanes above may serve before the first item of a lane overtakes them. */
const PATIENCE: Readonly<Record<Priority, number>> = { small: 0, new: 8, resumed: 16 };

/** The maximum number of items of other priorities that are served before the first item of this one. */
export const longestWait = (priority: Priority): number =>
  PATIENCE[priority] + PRIORITIES.length - 1;

interface Lane<Item> {
  readonly items: Item[];
  /** The lane with the lowest due number is served next. Counted in served items. */
  due: number;
}

export class PriorityQueue<Item> {
  readonly #lanes: Readonly<Record<Priority, Lane<Item>>> = {
    small: { items: [], due: 0 },
    new: { items: [], due: 0 },
    resumed: { items: [], due: 0 },
  };
  #served = 0;

  get size(): number {
    return PRIORITIES.reduce((sum, priority) => sum + this.sizeOf(priority), 0);
  }

  sizeOf(priority: Priority): number {
    return this.#lanes[priority].items.length;
  }

  push(item: Item, priority: Priority): void {
    const lane = this.#lanes[priority];
    if (lane.items.length === 0) lane.due = this.#served + PATIENCE[priority];
    lane.items.push(item);
  }

  /** Takes the next item out; undefined if the queue is empty. */
  shift(): Item | undefined {
    const [first, ...others] = PRIORITIES.filter((each) => this.sizeOf(each) > 0);
    if (first === undefined) return undefined;
    const isEarlier = (one: Priority, other: Priority) =>
      this.#lanes[one].due < this.#lanes[other].due;
    const next = others.reduce((best, each) => (isEarlier(each, best) ? each : best), first);
    const lane = this.#lanes[next];
    this.#served += 1;
    lane.due = this.#served + PATIENCE[next];
    return lane.items.shift();
  }

  /** Takes an item out before its turn; false if it is not in the queue. */
  remove(item: Item, priority: Priority): boolean {
    const { items } = this.#lanes[priority];
    const at = items.indexOf(item);
    if (at >= 0) items.splice(at, 1);
    return at >= 0;
  }
}
