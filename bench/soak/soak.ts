/** What the actors of a soak share: the server, the report, the rows and the end. */

import type { SoakReport } from './soak-report.ts';
import type { SoakServer } from './soak-server.ts';

/** Rows of January, which nothing changes. */
export const JANUARY_ROWS = 5000;
/** Rows of each import into February. */
export const IMPORTED_ROWS = 200;

/** The identifier of the first transaction that is imported into February. The identifiers count up from it. */
export const FIRST_IMPORTED = 1_000_000;

export interface Soak {
  readonly server: SoakServer;
  readonly report: SoakReport;
  readonly directory: string;
  readonly token: string;
  /** Milliseconds between two kills. */
  readonly killInterval: number;
  /** Aborted at the end. */
  readonly end: AbortSignal;
  /** The number of February's rows whose import is confirmed. */
  confirmed: number;
}

/** Rows as CSV. Their identifiers count up from `firstId`. */
export function csvOf(month: string, rows: number, firstId: number): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const day = `2026-${month}-${String(1 + (at % 28)).padStart(2, '0')} 12:00:00`;
    return `${firstId + at},12,${100 + (at % 50)},7,2,${day},${day}\n`;
  });
  return `transaction_id,program_id,publisher_id,support_id,status,created_at,updated_at\n${lines.join('')}`;
}
