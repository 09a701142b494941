/** Imports files of transactions atomically: every row is checked, and all become visible at once. */

import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stagingNodesOf } from '../schema/cluster-nodes.ts';
import { storedKeptFrom } from '../schema/values/kept-months.ts';
import { readAsOf } from './dialect/describe-dialect.ts';
import { openFiles } from './files/open-files.ts';
import { fullDiskRefusal } from './full-disk.ts';
import type { ImportReport } from './import-report.ts';
import type { ImportDeps, ImportRequest } from './import-request.ts';
import { releasingMemory } from './release-memory.ts';
import { createArrivals } from './staging/arrivals.ts';
import { ImportRun } from './staging/import-run.ts';
import { openStaging } from './staging/open-staging.ts';
import { publish } from './staging/publishing.ts';
import { writeChanges } from './staging/staged-changes.ts';
import { stagePartnerships } from './staging/staged-partnerships.ts';
import { dropStaging, stagingOf } from './staging/staging.ts';
import { writeTombstones } from './staging/tombstones.ts';

/**
 * Imports all files together; a report with `imported: 0` and faults means that nothing was changed.
 *
 * The signal can abort the import until publishing begins.
 */
export async function importFiles(
  request: ImportRequest,
  surroundings: ImportDeps,
): Promise<ImportReport> {
  const started = performance.now();
  const { nodes: publicNodes, signal } = surroundings;
  const nodes = stagingNodesOf(publicNodes);
  signal?.throwIfAborted();
  const staging = stagingOf(randomBytes(8).toString('hex'));
  const workDirectory = join(surroundings.workDirectory, staging.id);
  await mkdir(workDirectory, { recursive: true, mode: 0o700 });
  await using _ = releasingMemory(nodes.engine);
  let isPublishing = false;
  try {
    await openStaging(nodes, staging);
    const keptFrom = await storedKeptFrom(nodes.engine);
    const around = { ...surroundings, nodes, keptFrom, workDirectory };
    const files = await openFiles(
      request.files,
      { rows: 'transactions', typeGiven: request.type !== undefined },
      around,
    );
    const arrivals = await createArrivals(nodes, staging, surroundings.timeZone);
    const found = await new ImportRun(request, around, staging, files, arrivals).stage();
    signal?.throwIfAborted();
    const isRefused = found.rejected > 0 && request.onRejected === undefined;
    if (!isRefused) {
      await writeTombstones(nodes, staging, surroundings.rowsAtATime);
      await stagePartnerships(nodes, staging);
      const batch = await writeChanges(nodes, staging, surroundings.rowsAtATime);
      signal?.throwIfAborted();
      isPublishing = true;
      await publish(publicNodes, staging, batch).catch(throwPartlyVisible);
    }
    isPublishing = false;
    const seconds = (performance.now() - started) / 1000;
    const imported = isRefused ? 0 : found.rows - found.rejected - found.removed;
    const readAs = readAsOf(files.map(({ source }) => source));
    return { id: staging.id, files: files.length, ...found, imported, ...readAs, seconds };
  } catch (error) {
    const { engine } = nodes;
    const { workDirectory: place } = surroundings;
    throw isPublishing ? error : await fullDiskRefusal(error, { engine, workDirectory: place });
  } finally {
    // An error here must not hide the outcome; the next start removes what is left.
    await rm(workDirectory, { recursive: true, force: true }).catch(ignore);
    // If publishing failed, the staged rows are needed: the next process to open the database finishes it.
    if (!isPublishing) await dropStaging(nodes, staging).catch(ignore);
  }
}

const ignore = (): undefined => undefined;

/** Once it is marked as complete, an import is never rolled back. */
function throwPartlyVisible(cause: unknown): never {
  const message = cause instanceof Error ? cause.message : String(cause);
  throw new Error(
    `The import is complete, but some rows may not be visible yet. The next command that opens the database finishes it; on servers, the next import does. ${message}`,
    { cause },
  );
}
