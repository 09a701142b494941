/** Blocks that were found for a list, and their wanted rows. */

import type { Order } from '../../contract/query/parameters.ts';
import { type Block, decompressed } from './block.ts';
import { indexRangeOf, type KeyRange } from './key-range.ts';
import { countBelow } from './owner-index.ts';
import { rowsIn, type StoredRow } from './stored-row.ts';
import type { WorkLimit } from './work-limit.ts';

/** A block with rows that may be wanted. */
export interface FoundBlock {
  readonly block: Pick<Block, 'compressed' | 'size'>;
  /** The most rows that the block adds to an answer. */
  readonly rows: number;
  /** Undefined if all rows of the block are wanted. */
  readonly wanted?: WantedPositions;
}

/** For each range of a query, its blocks in a month. */
export type BlocksOfMonth = readonly (readonly FoundBlock[])[];

/** Sorted positions of rows in a month. */
interface WantedPositions {
  readonly positions: Uint32Array;
  /** The position of the first row of the block. */
  readonly start: number;
}

/** A found block of a range. */
export interface BlockOfRange extends FoundBlock {
  /** Whether all of its rows are in the range. */
  readonly isWhole: boolean;
}

/** The first blocks of a range. */
export interface FirstBlocks {
  readonly blocks: readonly FoundBlock[];
  /** The number of rows of the range that they have at least. */
  readonly rows: number;
  /** Bytes of all their rows. */
  readonly bytes: number;
}

/** The fewest first blocks that have at least so many rows of the range, or that exceed a number of bytes. */
export function firstBlocks(
  found: Iterable<BlockOfRange>,
  needed: number,
  maxBytes: number,
): FirstBlocks {
  const blocks: FoundBlock[] = [];
  let rows = 0;
  let bytes = 0;
  for (const block of found) {
    blocks.push(block);
    bytes += block.block.size;
    if (block.isWhole) rows += block.rows;
    if (rows >= needed || bytes > maxBytes) break;
  }
  return { blocks, rows, bytes };
}

/** The wanted rows of blocks in the order of the answer; ends early if the work limit is exceeded. */
export function* rowsOfBlocks(
  found: Iterator<FoundBlock>,
  range: KeyRange,
  order: Order,
  work: WorkLimit,
): Generator<StoredRow> {
  for (let next = work.take(found); next.length > 0; next = work.take(found)) {
    yield* readBlocks(next, range, order, work);
  }
}

/** The wanted rows of blocks, in either order. One buffer for all blocks costs less than one for each. */
export function readBlocks(
  found: readonly FoundBlock[],
  range: KeyRange,
  order: Order,
  work: WorkLimit,
): readonly StoredRow[] {
  if (found.length === 0) return [];
  const bytes = decompressed(found.map(({ block }) => block));
  work.hold(bytes);
  let end = 0;
  return found.flatMap(({ block, wanted }) => {
    const start = end;
    end += block.size;
    const all = rowsIn(bytes.subarray(start, end));
    const [first, last] = indexRangeOf(range, all);
    const inRange = all.slice(first, last);
    const rows = wanted
      ? inRange.filter((_, at) => isAmong(wanted.positions, wanted.start + first + at))
      : inRange;
    return order === 'asc' ? rows : rows.reverse();
  });
}

const isAmong = (positions: Uint32Array, position: number): boolean =>
  positions[countBelow(positions, position)] === position;
