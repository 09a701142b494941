/**
 * Set for objects that last as long as a request, which leaves no garbage in the old generation of V8.
 *
 * V8 copies a Map or Set whose entries change often, and each outdated copy refers to the next one. As soon as a copy
 * has been moved to the old generation, all later copies and what they refer to are moved there, too. The array of
 * slots keeps its greatest length.
 */
export class Slots<Item extends object> {
  readonly #items: (Item | undefined)[] = [];
  readonly #free: number[] = [];

  /** The number of items. */
  get size(): number {
    return this.#items.length - this.#free.length;
  }

  /** Adds an item. Returns its slot, which belongs to it until it is deleted. */
  add(item: Item): number {
    const slot = this.#free.pop() ?? this.#items.length;
    this.#items[slot] = item;
    return slot;
  }

  get(slot: number): Item | undefined {
    return this.#items[slot];
  }

  /** Deletes an item, unless it is no longer in its slot. */
  delete(slot: number, item: Item): void {
    if (this.#items[slot] !== item) return;
    this.#items[slot] = undefined;
    this.#free.push(slot);
  }

  /** The items with their slots. */
  *[Symbol.iterator](): Generator<readonly [slot: number, item: Item]> {
    for (const [slot, item] of this.#items.entries()) if (item !== undefined) yield [slot, item];
  }
}
