/** Imports files into the directory atomically: every row is checked, and all become visible at once. */

import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DirectoryName } from '../../contract/record/directory.ts';
import { stagingNodesOf } from '../../schema/cluster-nodes.ts';
import type { NumberedRows } from '../checks/row-faults.ts';
import { DIRECTORY_SHAPE } from '../checks/row-shape.ts';
import { readAsOf } from '../dialect/describe-dialect.ts';
import type { ImportFile } from '../files/import-file.ts';
import { openFiles } from '../files/open-files.ts';
import { fullDiskRefusal } from '../full-disk.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportDeps } from '../import-request.ts';
import { findingsOf } from '../staging/findings.ts';
import { publishDirectory } from '../staging/publishing.ts';
import { loadNumberedRows } from '../staging/stage-files.ts';
import { createStagedDirectory } from '../staging/staged-directory.ts';
import { dropStaging, type Staging, stagingOf } from '../staging/staging.ts';
import { findRepeated, stageEntries, stageRemovals } from './stage-entries.ts';

export interface DirectoryRequest {
  readonly of: DirectoryName;
  readonly files: readonly ImportFile[];
  /** Remove the entries that the files do not have. */
  readonly replace: boolean;
}

type DirectoryDeps = Pick<ImportDeps, 'nodes' | 'workDirectory' | 'signal'>;

/** A report with `rejected` rows means that nothing was changed. The signal can abort until publishing begins. */
export async function importDirectory(
  request: DirectoryRequest,
  { nodes: publicNodes, signal, ...surroundings }: DirectoryDeps,
): Promise<ImportReport> {
  const started = performance.now();
  signal?.throwIfAborted();
  const nodes = stagingNodesOf(publicNodes);
  const staging = stagingOf(randomBytes(8).toString('hex'));
  const workDirectory = join(surroundings.workDirectory, staging.id);
  await mkdir(workDirectory, { recursive: true, mode: 0o700 });
  let isPublishing = false;
  try {
    await createStagedDirectory(nodes, staging);
    const files = await stageFiles(request, staging, { nodes, workDirectory, signal });
    const found = await findingsOf(nodes.engine, files);
    const isRefused = found.rejected > 0;
    const deleted =
      isRefused || !request.replace ? 0 : await stageRemovals(nodes, staging, request.of);
    signal?.throwIfAborted();
    isPublishing = !isRefused;
    if (!isRefused) await publishDirectory(publicNodes, staging);
    isPublishing = false;
    const seconds = (performance.now() - started) / 1000;
    const imported = isRefused ? 0 : found.rows;
    const counts = { files: files.length, imported, emptied: 0, removed: 0, deleted };
    const readAs = readAsOf(files.map(({ source }) => source));
    return { id: staging.id, ...found, ...counts, ...readAs, seconds };
  } catch (error) {
    const { engine } = nodes;
    const { workDirectory: place } = surroundings;
    throw isPublishing ? error : await fullDiskRefusal(error, { engine, workDirectory: place });
  } finally {
    await rm(workDirectory, { recursive: true, force: true }).catch(ignore);
    // If publishing failed, the next process to open the database finishes it.
    if (!isPublishing) await dropStaging(nodes, staging).catch(ignore);
  }
}

const ignore = (): undefined => undefined;

/** Stages the valid rows, and notes identifiers that occur twice. */
async function stageFiles(
  { of, files }: DirectoryRequest,
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
  await findRepeated(nodes, staging);
  return numbered;
}
