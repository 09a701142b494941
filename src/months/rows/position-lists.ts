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
  /** The number of the identifier at each position. */
  #numberAt = new Uint32Array(FIRST_CAPACITY);
  #length = 0;

  /** Adds the identifier at the next position. */
  add(id: number): void {
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(id, number);
    }
    if (this.#length === this.#numberAt.length) {
      const longer = new Uint32Array(2 * this.#length);
      longer.set(this.#numberAt);
      this.#numberAt = longer;
    }
    this.#numberAt[this.#length] = number;
    this.#length += 1;
  }

  finish(): PositionLists {
    const numberAt = this.#numberAt.subarray(0, this.#length);
    const starts = startsOf(numberAt, this.#numbers.size);
    const ends = starts.slice(0, -1);
    const positions = new Uint32Array(this.#length);
    for (const [position, number] of numberAt.entries()) {
      const end = ends[number] ?? 0;
      positions[end] = position;
      ends[number] = end + 1;
    }
    return new PositionLists(this.#numbers, starts, positions);
  }
}

/** Where the list of each identifier starts, and where the last one ends. */
function startsOf(numberAt: Uint32Array, ids: number): Uint32Array {
  const starts = new Uint32Array(ids + 1);
  for (const number of numberAt) starts[number + 1] = (starts[number + 1] ?? 0) + 1;
  for (let at = 1; at <= ids; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  return starts;
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
