/**
 * A sorted list of positions for each identifier.
 *
 * All lists are parts of one array, because thousands of arrays would take more memory.
 */

/** Bytes of memory that an identifier takes besides its positions, about. */
const ENTRY_BYTES = 40;

const FIRST_CAPACITY = 256;

export class PositionListsBuilder {
  /** The place of each identifier in `#counts`, in the order in which they were first added. */
  readonly #places = new Map<number, number>();
  /** How many positions each identifier has. */
  readonly #counts: number[] = [];
  /** The place of the identifier of each position. */
  #placeAt = new Uint32Array(FIRST_CAPACITY);
  #length = 0;

  /** Adds the identifier at the next position. */
  add(id: number): void {
    const known = this.#places.get(id);
    const place = known ?? this.#counts.push(0) - 1;
    if (known === undefined) this.#places.set(id, place);
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    if (this.#length === this.#placeAt.length) {
      const longer = new Uint32Array(2 * this.#length);
      longer.set(this.#placeAt);
      this.#placeAt = longer;
    }
    this.#placeAt[this.#length] = place;
    this.#length += 1;
  }

  finish(): PositionLists {
    const starts = new Uint32Array(this.#counts.length + 1);
    for (const [place, count] of this.#counts.entries()) {
      starts[place + 1] = (starts[place] ?? 0) + count;
    }
    const ends = starts.slice();
    const positions = new Uint32Array(this.#length);
    // An iterator would take three times as long for the millions of rows of a month.
    for (let position = 0; position < this.#length; position += 1) {
      const place = this.#placeAt[position] ?? 0;
      const end = ends[place] ?? 0;
      positions[end] = position;
      ends[place] = end + 1;
    }
    return new PositionLists(this.#places, starts, positions);
  }
}

export class PositionLists {
  readonly #places: ReadonlyMap<number, number>;
  /** Where the list of each identifier starts, and where the last one ends. */
  readonly #starts: Uint32Array;
  readonly #positions: Uint32Array;
  /** Bytes of memory, about. */
  readonly bytes: number;

  constructor(places: ReadonlyMap<number, number>, starts: Uint32Array, positions: Uint32Array) {
    this.#places = places;
    this.#starts = starts;
    this.#positions = positions;
    this.bytes = starts.byteLength + positions.byteLength + ENTRY_BYTES * places.size;
  }

  /** The positions of an identifier; undefined if it has none. */
  get(id: number): Uint32Array | undefined {
    const place = this.#places.get(id);
    if (place === undefined) return undefined;
    return this.#positions.subarray(this.#starts[place], this.#starts[place + 1]);
  }
}
