/** Writes one row of the month cache in the form of a response. */

import type { StoredRow } from '../rows/stored-row.ts';

/** Writes a row into a buffer at a position, and returns the position after it. */
export type RowWriter = (row: StoredRow, target: Buffer, position: number) => number;
