/** What is wrong with the numbered rows of all files: counts, and the first faults. */

import type { Engine } from '../../engine/engine.ts';
import { select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import type { Reason } from '../checks/reasons.ts';
import {
  FAULT_COUNTS,
  FIRST_FAULT,
  type FirstFault,
  faultCountsSql,
  firstFaultsSql,
  type NumberedRows,
} from '../checks/row-faults.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { ImportReport, RowFault } from '../import-report.ts';

/** The maximum number of faults that a report lists. */
const FAULTS_NAMED = 20;

/** Rows of a database have no lines, so they are identified by key. */
function namedFault({ name, key }: SourceFile, { line, key: value, ...fault }: FirstFault) {
  const place = key === undefined ? { line } : { key: `${key}=${value}` };
  return { file: name, ...place, ...fault };
}

export async function findingsOf(
  engine: Engine,
  files: readonly NumberedRows[],
): Promise<Pick<ImportReport, 'rows' | 'rejected' | 'reasons' | 'faults'>> {
  const reasons: Partial<Record<Reason, number>> = {};
  const faults: RowFault[] = [];
  let rows = 0;
  let rejected = 0;
  for (const numbered of files) {
    for (const counts of await engine.rows(
      select(FAULT_COUNTS, plainStatement(faultCountsSql(numbered))),
    )) {
      rows += counts.rows;
      rejected += counts.faulty;
      for (const [at, reason] of counts.reasons[0].entries()) {
        reasons[reason] = (reasons[reason] ?? 0) + (counts.reasons[1][at] ?? 0);
      }
    }
    const text = firstFaultsSql(numbered, FAULTS_NAMED - faults.length);
    const first = await engine.rows(select(FIRST_FAULT, plainStatement(text)));
    faults.push(...first.map((fault) => namedFault(numbered.source, fault)));
  }
  return { rows, rejected, reasons, faults };
}
