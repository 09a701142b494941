/** Migrates an embedded database, after it has finished the import that a killed process was publishing. */

import { ensureFirstPublication } from '../schema/change-tables.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { migrate } from '../schema/migrations.ts';
import { finishEmbeddedImport } from './finish-imports.ts';

/** Returns the names of the changes. Throws a UserError if an import cannot be finished. Then nothing is migrated. */
export async function migrateEmbedded(
  nodes: ClusterNodes,
  timeZone: string,
): Promise<readonly string[]> {
  await finishEmbeddedImport(nodes);
  const done = await migrate(nodes.engine, timeZone);
  await ensureFirstPublication(nodes.engine);
  return done;
}
