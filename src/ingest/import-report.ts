/** What an import tells whoever ran it. */

import type { Reason } from './checks/reasons.ts';

/** A wrong value and where it stands. */
export interface RowFault {
  readonly file: string;
  /** Where its rows have lines. */
  readonly line?: number;
  /** Where they have none: the column of the source that holds the transaction_id, and its value. */
  readonly key?: string;
  /** Empty where the whole row is wrong. */
  readonly column: string;
  readonly reason: Reason;
  /** The beginning of the value. */
  readonly value: string;
}

export interface ImportReport {
  readonly id: string;
  readonly files: number;
  /** Rows in the files; of a file that cannot be read to its end, those that could be. */
  readonly rows: number;
  readonly imported: number;
  readonly rejected: number;
  readonly seconds: number;
  /** How often each reason occurs. */
  readonly reasons: Readonly<Partial<Record<Reason, number>>>;
  /** The first wrong values. */
  readonly faults: readonly RowFault[];
}
