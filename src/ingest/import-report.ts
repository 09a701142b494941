/** The result of an import: counts, and the faults that were found. */

import type { Reason } from './checks/reasons.ts';

/** A refused value and its position. */
export interface RowFault {
  readonly file: string;
  /** For files with lines. */
  readonly line?: number;
  /** For sources without lines: the column with the transaction_id and its value, as `id=1`. */
  readonly key?: string;
  /** Empty if the whole row is faulty. */
  readonly column: string;
  readonly reason: Reason;
  /** The first characters of the value. */
  readonly value: string;
}

export interface ImportReport {
  readonly id: string;
  readonly files: number;
  /** Rows that were read. */
  readonly rows: number;
  readonly imported: number;
  readonly rejected: number;
  /** Rows of erased persons that were imported without personal values. */
  readonly emptied: number;
  /** Rows of erased persons that were left out. */
  readonly removed: number;
  /** Entries of the directory that were deleted because the files do not have them. */
  readonly deleted?: number;
  /** How each file that is not plain is written, such as `sales.csv: windows-1252, decimal comma`. */
  readonly readAs?: readonly string[];
  readonly seconds: number;
  /** How often each reason occurs. */
  readonly reasons: Readonly<Partial<Record<Reason, number>>>;
  /** The first faults. */
  readonly faults: readonly RowFault[];
}
