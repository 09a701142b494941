/**
 * A sorted list of positions for each identifier.
 *
 * All lists are parts of one array, because thousands of arrays would take more memory.
 */

/** Bytes of memory that an identifier takes besides its positions, about. */
const ENTRY_BYTES = 40;

const FIRST_CAPACITY = 256;

export class PositionListsBuilder {
  /** The numbers of the identifiers, in the order in which they were first added. */
  readonly #numbers = new Map<number, number>();
  /** How many positions each identifier has, by its number. */
  readonly #counts: number[] = [];
  /** The number of the identifier at each position. */
  #numberAt = new Uint32Array(FIRST_CAPACITY);
  #length = 0;

  /** Adds the identifier at the next position. */
  add(id: number): void {
    const known = this.#numbers.get(id);
    const number = known ?? this.#counts.push(0) - 1;
    if (known === undefined) this.#numbers.set(id, number);
    this.#counts[number] = (this.#counts[number] ?? 0) + 1;
    if (this.#length === this.#numberAt.length) {
      const longer = new Uint32Array(2 * this.#length);
      longer.set(this.#numberAt);
      this.#numberAt = longer;
    }
    this.#numberAt[this.#length] = number;
    this.#length += 1;
  }

  finish(): PositionLists {
    const starts = new Uint32Array(this.#counts.length + 1);
    for (const [number, count] of this.#counts.entries()) {
      starts[number + 1] = (starts[number] ?? 0) + count;
    }
    const ends = starts.slice();
    const positions = new Uint32Array(this.#length);
    // An iterator would take three times as long for the millions of rows of a month.
    for (let position = 0; position < this.#length; position += 1) {
      const number = this.#numberAt[position] ?? 0;
      const end = ends[number] ?? 0;
      positions[end] = position;
      ends[number] = end + 1;
    }
    return new PositionLists(this.#numbers, starts, positions);
  }
}

export class PositionLists {
  readonly #numbers: ReadonlyMap<number, number>;
  readonly #starts: Uint32Array;
  readonly #positions: Uint32Array;
  /** Bytes of memory, about. */
  readonly bytes: number;

  constructor(numbers: ReadonlyMap<number, number>, starts: Uint32Array, positions: Uint32Array) {
    this.#numbers = numbers;
    this.#starts = starts;
    this.#positions = positions;
    this.bytes = starts.byteLength + positions.byteLength + ENTRY_BYTES * numbers.size;
  }

  /** The positions of an identifier; undefined if it has none. */
  get(id: number): Uint32Array | undefined {
    const number = this.#numbers.get(id);
    if (number === undefined) return undefined;
    return this.#positions.subarray(this.#starts[number], this.#starts[number + 1]);
  }
}
