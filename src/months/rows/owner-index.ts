/**
 * The positions of the rows of each program and publisher, in a month that is sorted by time.
 *
 * With this index, a list of one program skips all blocks without rows of the program. So no second copy of the
 * month, sorted by program, is needed in memory.
 */

import type { Selection } from '../../plan/list-plan.ts';

export interface Owners {
  readonly programId: number;
  readonly publisherId: number;
}

/** The selected programs and publishers. */
export type OwnerScopes = Pick<Selection, 'programIds' | 'publisherIds'>;

/** The positions from `start`, included, to `end`, excluded. */
export interface PositionRange {
  readonly start: number;
  readonly end: number;
}

/** The most positions that are merged from several identifiers. Sorting them takes a few milliseconds. */
const MAX_SORTED = 50_000;

/** Bytes of memory that an identifier takes besides its positions, about. */
const ENTRY_BYTES = 60;

export class OwnerIndexBuilder {
  readonly #programs = new Map<number, number[]>();
  readonly #publishers = new Map<number, number[]>();
  #position = 0;

  /** Adds the next row. */
  add({ programId, publisherId }: Owners): void {
    add(this.#programs, programId, this.#position);
    add(this.#publishers, publisherId, this.#position);
    this.#position += 1;
  }

  finish(): OwnerIndex {
    return new OwnerIndex(packed(this.#programs), packed(this.#publishers));
  }
}

type PositionsById = ReadonlyMap<number, Uint32Array>;

export class OwnerIndex {
  readonly #programs: PositionsById;
  readonly #publishers: PositionsById;
  /** Bytes of memory, about. */
  readonly bytes: number;

  constructor(programs: PositionsById, publishers: PositionsById) {
    this.#programs = programs;
    this.#publishers = publishers;
    this.bytes = bytesOf(programs) + bytesOf(publishers);
  }

  /**
   * The positions of selected rows, sorted; undefined if they are too many to sort, or if all rows are selected.
   *
   * If programs and publishers are selected, only the condition with fewer rows is applied. The caller must
   * test the other one.
   */
  positions(
    { programIds, publisherIds }: OwnerScopes,
    within: PositionRange,
  ): Uint32Array | undefined {
    const lists = [
      positionsOf(this.#programs, programIds, within),
      positionsOf(this.#publishers, publisherIds, within),
    ].flatMap((list) => list ?? []);
    const [fewest] = lists.sort((one, other) => one.count - other.count);
    return fewest && sorted(fewest);
  }
}

/** One sorted list of positions for each identifier, and the number of all positions. */
interface PositionLists {
  readonly count: number;
  readonly lists: readonly Uint32Array[];
}

const packed = (positions: ReadonlyMap<number, readonly number[]>): PositionsById =>
  new Map(positions.entries().map(([id, list]) => [id, Uint32Array.from(list)]));

const bytesOf = (positions: PositionsById): number =>
  positions.values().reduce((all, { byteLength }) => all + byteLength + ENTRY_BYTES, 0);

function add(positions: Map<number, number[]>, id: number, position: number): void {
  const known = positions.get(id);
  if (known === undefined) positions.set(id, [position]);
  else known.push(position);
}

function positionsOf(
  all: PositionsById,
  ids: OwnerScopes['programIds'],
  { start, end }: PositionRange,
): PositionLists | undefined {
  if (ids === 'all') return undefined;
  const lists = [...new Set(ids)].flatMap((id) => {
    const list = all.get(id);
    return list === undefined
      ? []
      : [list.subarray(countBelow(list, start), countBelow(list, end))];
  });
  return { count: lists.reduce((sum, { length }) => sum + length, 0), lists };
}

function sorted({ count, lists }: PositionLists): Uint32Array | undefined {
  const [only, ...others] = lists;
  if (only === undefined || others.length === 0) return only ?? new Uint32Array();
  if (count > MAX_SORTED) return undefined;
  const merged = new Uint32Array(count);
  let length = 0;
  for (const list of lists) {
    merged.set(list, length);
    length += list.length;
  }
  return merged.sort();
}

/** The number of sorted positions below a position, by binary search. */
export function countBelow(positions: Uint32Array, position: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? position) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
