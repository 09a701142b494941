/**
 * The positions of the rows of each program and publisher, in a month that is sorted by time.
 *
 * With this index, a list of one program skips all blocks without rows of the program. So no second copy of the
 * month, sorted by program, is needed in memory.
 */

import type { Selection } from '../../plan/list-plan.ts';
import { type PositionLists, PositionListsBuilder } from './position-lists.ts';

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

export class OwnerIndexBuilder {
  readonly #programs = new PositionListsBuilder();
  readonly #publishers = new PositionListsBuilder();

  /** Adds the next row. */
  add({ programId, publisherId }: Owners): void {
    this.#programs.add(programId);
    this.#publishers.add(publisherId);
  }

  finish(): OwnerIndex {
    return new OwnerIndex(this.#programs.finish(), this.#publishers.finish());
  }
}

export class OwnerIndex {
  readonly #programs: PositionLists;
  readonly #publishers: PositionLists;
  /** Bytes of memory, about. */
  readonly bytes: number;

  constructor(programs: PositionLists, publishers: PositionLists) {
    this.#programs = programs;
    this.#publishers = publishers;
    this.bytes = programs.bytes + publishers.bytes;
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

/** One sorted list of positions for each selected identifier, and the number of all positions. */
interface SelectedLists {
  readonly count: number;
  readonly lists: readonly Uint32Array[];
}

function positionsOf(
  all: PositionLists,
  ids: OwnerScopes['programIds'],
  { start, end }: PositionRange,
): SelectedLists | undefined {
  if (ids === 'all') return undefined;
  const lists = [...new Set(ids)].flatMap((id) => {
    const list = all.get(id);
    return list === undefined
      ? []
      : [list.subarray(countBelow(list, start), countBelow(list, end))];
  });
  return { count: lists.reduce((sum, { length }) => sum + length, 0), lists };
}

function sorted({ count, lists }: SelectedLists): Uint32Array | undefined {
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
