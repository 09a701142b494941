/** A row of a file as text, before anything is known of its values. */

import type { Reason } from '../checks/reasons.ts';

/** Texts hold bytes as Latin-1 characters, so that invalid UTF-8 stays what it is. */
export interface RowText {
  readonly line: number;
  /** One a column; where the row cannot be read, the whole of it as it is written. */
  readonly cells: readonly string[];
  /** Why it cannot be read. */
  readonly fault?: { readonly column: string; readonly reason: Reason };
}

/** A row that cannot be read. */
export const brokenRow = (
  line: number,
  text: string,
  reason: Reason,
  column: string = '',
): RowText => ({ line, cells: [text], fault: { column, reason } });
