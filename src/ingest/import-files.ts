/** Imports files of transactions atomically: every row is checked, and all become visible at once. */

import { storedFirstKeptMonths } from '../schema/values/kept-months.ts';
import { detectedDialectsOf } from './dialect/describe-dialect.ts';
import { openFiles } from './files/open-files.ts';
import type { ImportReport } from './import-report.ts';
import type { ImportDeps, ImportRequest } from './import-request.ts';
import { pausingMerges } from './pause-merges.ts';
import { releasingMemory } from './release-memory.ts';
import { createErasureInput } from './staging/apply-erasures.ts';
import { ImportRun } from './staging/import-run.ts';
import { openStaging } from './staging/open-staging.ts';
import { publish } from './staging/publishing.ts';
import { newBatch, writeChanges } from './staging/staged-changes.ts';
import { stagePartnerships } from './staging/staged-partnerships.ts';
import { writeTombstones } from './staging/tombstones.ts';
import { type StagedImport, withStaging } from './staging/with-staging.ts';

/**
 * Imports all files together; a report with `imported: 0` and faults means that nothing was changed.
 *
 * The signal can abort the import until publishing begins.
 */
export async function importFiles(
  request: ImportRequest,
  context: ImportDeps,
): Promise<ImportReport> {
  const started = performance.now();
  context.signal?.throwIfAborted();
  return await withStaging(context, async (staged) => {
    await using _memory = releasingMemory(staged.nodes.engine);
    await using _merges = pausingMerges(staged.nodes.engine);
    const report = await importStaged(request, context, staged);
    return { ...report, seconds: (performance.now() - started) / 1000 };
  });
}

async function importStaged(
  request: ImportRequest,
  context: ImportDeps,
  { nodes, staging, workDirectory, publishing }: StagedImport,
): Promise<Omit<ImportReport, 'seconds'>> {
  const { signal, timeZone, rowsAtATime } = context;
  await openStaging(nodes, staging);
  const keptFrom = await storedFirstKeptMonths(nodes.engine);
  const around = { ...context, nodes, keptFrom, workDirectory };
  const expected = { rows: 'transactions', typeGiven: request.type !== undefined } as const;
  const files = await openFiles(request.files, expected, around);
  const erasureInput = await createErasureInput(nodes, staging, timeZone);
  const found = await new ImportRun(request, around, staging, files, erasureInput).stage();
  signal?.throwIfAborted();
  const isRefused = found.rejected > 0 && request.onRejected === undefined;
  if (!isRefused) {
    // Begun first, so that `publish` notices rows that these statements do not see.
    const batch = await newBatch(nodes);
    await writeTombstones(nodes, staging, rowsAtATime);
    await stagePartnerships(nodes, staging);
    await writeChanges(nodes, staging, batch, rowsAtATime);
    signal?.throwIfAborted();
    await publishing(async (publicNodes) => await publish(publicNodes, staging, async () => batch));
  }
  const imported = isRefused ? 0 : found.rows - found.rejected - found.removed;
  const readAs = detectedDialectsOf(files.map(({ source }) => source));
  return { id: staging.id, files: files.length, ...found, imported, ...readAs };
}
