/** Migrates an embedded database, after it has finished the import that a killed process was publishing. */

import { finishMarkedImports } from '../ingest/staging/publishing.ts';
import { stagingsIdleFor } from '../ingest/staging/staging.ts';
import { ensureFirstPublication } from '../schema/change-tables.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { migrate } from '../schema/migrations.ts';
import { UserError } from '../user-error.ts';

/** Returns the names of the changes. Throws a UserError if an import cannot be finished. Then nothing is migrated. */
export async function migrateEmbedded(
  nodes: ClusterNodes,
  timeZone: string,
): Promise<readonly string[]> {
  await finishPublishing(nodes);
  const done = await migrate(nodes.engine, timeZone);
  await ensureFirstPublication(nodes.engine);
  return done;
}

/** A migration does not change staging tables, and rows can be attached only to a table with the same columns. */
async function finishPublishing(nodes: ClusterNodes): Promise<void> {
  // A database without staging tables may be new. It then lacks the table in which imports are marked.
  if ((await stagingsIdleFor(nodes, 0)).length === 0) return;
  try {
    await finishMarkedImports(nodes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(
      `An import was interrupted while it became visible, and cannot be finished: ${reason}`,
      'If the disk is full, free space and start again. If the service was upgraded after the import, start the earlier version once, then upgrade.',
      { cause },
    );
  }
}
