/** Writes the first rows of a search as a page. */

import type { Page } from '../../reading/pages/page.ts';
import type { StoredRow } from '../rows/stored-row.ts';
import type { RowWriter } from './row-writer.ts';

/** More bytes than any format adds to the text of a record. */
const ADDED = 64;

export interface FirstRows {
  readonly rows: readonly StoredRow[];
  /** Whether more rows follow. */
  readonly isFollowed: boolean;
}

/** Reads one row more than the limit, to tell whether more follow. */
export function firstRows(found: Iterable<StoredRow>, limit: number): FirstRows {
  const rows: StoredRow[] = [];
  for (const row of found) {
    if (rows.length === limit) return { rows, isFollowed: true };
    rows.push(row);
  }
  return { rows, isFollowed: false };
}

/** A page that shares its memory with nothing else. */
export interface WrittenPage extends Page {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly room: number;
}

/** Writes into `spare` if the page fills most of it, and otherwise into new memory. */
export function writtenPage(
  { rows, isFollowed }: FirstRows,
  write: RowWriter,
  spare = new ArrayBuffer(),
): WrittenPage {
  const most = rows.reduce((all, row) => all + row.end - row.textStart + ADDED, 0);
  const isSuitable = spare.byteLength >= most && spare.byteLength <= 1.5 * most;
  const target = isSuitable ? Buffer.from(spare) : Buffer.allocUnsafeSlow(most);
  let end = 0;
  for (const row of rows) end = write(row, target, end);
  const last = rows.at(-1);
  return {
    bytes: target.subarray(0, end),
    room: target.length - end,
    rows: rows.length,
    last: last && { at: last.at, transactionId: last.transactionId },
    isFollowed,
  };
}
