/** A row of a file as text, before its values are checked. */

import type { Reason } from '../checks/reasons.ts';

/** Texts are Latin-1, one character per byte, so that invalid UTF-8 is preserved. */
export interface RowText {
  readonly line: number;
  /** One per column; of a row that cannot be read, the original text as a single cell. */
  readonly cells: readonly string[];
  /** Why it cannot be read. */
  readonly fault?: { readonly column: string; readonly reason: Reason };
}

/** A row that cannot be read. Its original text is its only cell. */
export const faultyRow = (
  line: number,
  text: string,
  reason: Reason,
  column: string = '',
): RowText => ({ line, cells: [text], fault: { column, reason } });
