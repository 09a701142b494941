/** The parts that a month's rows were read from, compared with the parts that the engine has now. */

import type { Part } from '../reading/table-parts.ts';

export class PartsRead {
  readonly #parts: readonly Part[];
  readonly #newest: number;

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
    this.#newest = Math.max(...parts.map(({ lastBlock }) => lastBlock));
  }

  /** Whether all rows that were read are still there and unchanged, alone or merged with others. */
  areIn(parts: readonly Part[]): boolean {
    return this.#parts.every((read) => parts.some((part) => holds(part, read)));
  }

  /** The parts with rows that were not read: new rows have a higher block number than all others. */
  unreadOf(parts: readonly Part[]): readonly Part[] {
    return parts.filter(({ lastBlock }) => lastBlock > this.#newest);
  }
}

/**
 * Whether a part holds all rows of an earlier part unchanged.
 *
 * Inserts and mutations are numbered in one sequence. A merged part has the numbers from the first to the last
 * insert of its sources. A mutation changes only rows that were inserted before it.
 */
const holds = (part: Part, read: Part): boolean =>
  part.firstBlock <= read.firstBlock &&
  part.lastBlock >= read.lastBlock &&
  (part.mutation === read.mutation || part.mutation < read.firstBlock);
