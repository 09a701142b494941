/**
 * Creates staging tables whose parts never merge, so that importing takes less CPU time.
 *
 * Their parts are on disk as soon as they are written. Publishing links these parts, so a power cut after an import
 * has been marked as complete cannot lose its rows.
 */

import { type ClusterNodes, executeEverywhere } from '../schema/cluster-nodes.ts';

const SETTINGS = [
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  // Each file and each block of rows adds a part, so the engine's limits on parts would end large imports.
  'parts_to_delay_insert = 1000000',
  'parts_to_throw_insert = 1000000',
  'max_parts_in_total = 10000000',
].join(', ');

/** Creates `table` like `target` on all servers. `storage` must end with a SETTINGS clause. */
export async function createUnmergedTable(
  nodes: ClusterNodes,
  { table, target }: { readonly table: string; readonly target: string },
  storage: string,
): Promise<void> {
  await executeEverywhere(nodes, `CREATE TABLE ${table} AS ${target} ${storage}, ${SETTINGS}`);
  await executeEverywhere(nodes, `SYSTEM STOP MERGES ${table}`);
}
