/** Queue in which clients take turns (round robin): first in, first out within a client. */

/** Whether an item of this client may be served now. */
export type MayServe = (client: string) => boolean;

export class TurnQueue<Item> {
  /** The client whose turn it is comes first. */
  readonly #clients = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(item: Item, client: string): void {
    const items = this.#clients.get(client);
    if (items === undefined) this.#clients.set(client, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** Whether `shift` would return an item. */
  hasFor(mayServe: MayServe): boolean {
    return this.#clients.keys().some(mayServe);
  }

  /** Takes out the first item of the next client that may be served. */
  shift(mayServe: MayServe): Item | undefined {
    const client = this.#clients.keys().find(mayServe);
    if (client === undefined) return undefined;
    const items = this.#clients.get(client) ?? [];
    const item = items.shift();
    this.#size -= 1;
    this.#clients.delete(client);
    if (items.length > 0) this.#clients.set(client, items);
    return item;
  }

  /** Takes an item out before its turn; false if it is not in the queue. */
  remove(item: Item, client: string): boolean {
    const items = this.#clients.get(client) ?? [];
    const at = items.indexOf(item);
    if (at < 0) return false;
    items.splice(at, 1);
    this.#size -= 1;
    if (items.length === 0) this.#clients.delete(client);
    return true;
  }
}
