/** What is wrong with the numbered rows of all files: counts, and the first faults. */

import type { Engine } from '../../engine/engine.ts';
import { select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import type { Reason } from '../checks/reasons.ts';
import { FAULTS, type FirstFault, faultsSql, type NumberedRows } from '../checks/row-faults.ts';
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
    const statement = plainStatement(faultsSql(numbered, FAULTS_NAMED));
    for (const found of await engine.rows(select(FAULTS, statement))) {
      rows += found.rows;
      rejected += found.faulty;
      for (const [at, reason] of found.reasons[0].entries()) {
        reasons[reason] = (reasons[reason] ?? 0) + (found.reasons[1][at] ?? 0);
      }
      faults.push(...found.first.map((fault) => namedFault(numbered.source, fault)));
    }
  }
  return { rows, rejected, reasons, faults: faults.slice(0, FAULTS_NAMED) };
}
