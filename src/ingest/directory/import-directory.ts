/** Imports files into the directory atomically: every row is checked, and all become visible at once. */

import type { DirectoryName } from '../../contract/record/directory.ts';
import type { NumberedRows } from '../checks/row-faults.ts';
import { DIRECTORY_SHAPE } from '../checks/row-shape.ts';
import { detectedDialectsOf } from '../dialect/describe-dialect.ts';
import type { ImportFile } from '../files/import-file.ts';
import { openFiles } from '../files/open-files.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportDeps } from '../import-request.ts';
import { findingsOf } from '../staging/findings.ts';
import { publishDirectory } from '../staging/publishing.ts';
import { loadNumberedRows } from '../staging/stage-files.ts';
import { createStagedDirectory } from '../staging/staged-directory.ts';
import type { Staging } from '../staging/staging.ts';
import { type StagedImport, withStaging } from '../staging/with-staging.ts';
import { stageEntries, stageRemovals, storeRepeated } from './stage-entries.ts';

export interface DirectoryImportRequest {
  readonly of: DirectoryName;
  readonly files: readonly ImportFile[];
  /** Remove the entries that the files do not have. */
  readonly replace: boolean;
}

type DirectoryDeps = Pick<ImportDeps, 'nodes' | 'workDirectory' | 'signal'>;

/** A report with `rejected` rows means that nothing was changed. The signal can abort until publishing begins. */
export async function importDirectory(
  request: DirectoryImportRequest,
  context: DirectoryDeps,
): Promise<ImportReport> {
  const started = performance.now();
  context.signal?.throwIfAborted();
  return await withStaging(context, async (staged) => {
    const report = await importStaged(request, staged, context.signal);
    return { ...report, seconds: (performance.now() - started) / 1000 };
  });
}

async function importStaged(
  request: DirectoryImportRequest,
  { nodes, staging, workDirectory, publishing }: StagedImport,
  signal: AbortSignal | undefined,
): Promise<Omit<ImportReport, 'seconds'>> {
  await createStagedDirectory(nodes, staging);
  const files = await stageFiles(request, staging, { nodes, workDirectory, signal });
  const found = await findingsOf(nodes.engine, files);
  const isRefused = found.rejected > 0;
  const deleted =
    isRefused || !request.replace ? 0 : await stageRemovals(nodes, staging, request.of);
  signal?.throwIfAborted();
  if (!isRefused) {
    await publishing(async (publicNodes) => await publishDirectory(publicNodes, staging));
  }
  const imported = isRefused ? 0 : found.rows;
  const counts = { files: files.length, imported, emptied: 0, removed: 0, deleted };
  const readAs = detectedDialectsOf(files.map(({ source }) => source));
  return { id: staging.id, ...found, ...counts, ...readAs };
}

/** Stages the valid rows, and records a conflict for each identifier that occurs with different values. */
async function stageFiles(
  { of, files }: DirectoryImportRequest,
  staging: Staging,
  { nodes, workDirectory, signal }: DirectoryDeps,
): Promise<readonly NumberedRows[]> {
  const expected = { rows: 'directory', typeGiven: false } as const;
  const opened = await openFiles(files, expected, { nodes, workDirectory, signal });
  const numbered = opened.map((one, file) => ({ ...one, staging, file, shape: DIRECTORY_SHAPE }));
  for (const one of numbered) {
    await loadNumberedRows(nodes.engine, one, workDirectory, { signal });
    await stageEntries(nodes.engine, one, of);
  }
  await storeRepeated(nodes, staging);
  return numbered;
}
