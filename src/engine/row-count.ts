/** The number of rows in a block: the embedded engine reports it, and for servers the rows are counted. */

import type { RowBoundaries } from '../plan/sql.ts';
import { framedRows } from './framing.ts';

const known = new WeakMap<Uint8Array, number>();

/** Remembers the number of rows of a block. Returns the block. */
export function noteRows(block: Uint8Array, rows: number): Uint8Array {
  known.set(block, rows);
  return block;
}

/** The number of rows in a block of whole rows. */
export function countRows(block: Uint8Array, boundaries: RowBoundaries): number {
  const told = known.get(block);
  if (told !== undefined) return told;
  return boundaries === 'framed' ? framedRows(block).reduce((rows) => rows + 1, 0) : linesIn(block);
}

const LINE_BREAK = 0x0a;

/** The number of line breaks in a block. JSON has none within a record. */
export function linesIn({ buffer, byteOffset, byteLength }: Uint8Array): number {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  let lines = 0;
  for (let at = bytes.indexOf(LINE_BREAK); at !== -1; at = bytes.indexOf(LINE_BREAK, at + 1)) {
    lines += 1;
  }
  return lines;
}
