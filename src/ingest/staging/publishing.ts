/**
 * Publishes a staged import atomically, even if the process dies.
 *
 * A row in `imports` marks the import as complete; then its parts are attached to the tables. If the
 * process dies in between, the next process that opens the database attaches the rest.
 */

import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { select } from '../../plan/select.ts';
import { command } from '../../plan/sql.ts';
import { NOTICE_DELAY } from '../../reading/import-barrier.ts';
import {
  awaitReplication,
  type ClusterNodes,
  executeEverywhere,
} from '../../schema/cluster-nodes.ts';
import { abandonedStagings, dropStaging, type Staging, stagedTables } from './staging.ts';
import { writeTombstones } from './tombstones.ts';

export async function publish(nodes: ClusterNodes, staging: Staging): Promise<void> {
  await note(nodes, staging, 'publishing');
  // One server attaches all months of a table atomically; on a cluster, readers must wait.
  if (nodes.servers.length > 1) await delay(NOTICE_DELAY);
  await attach(nodes, staging);
  await note(nodes, staging, 'done');
}

/**
 * Finishes imports that were being published, and removes the staging tables of all others.
 *
 * Imports that wrote anything in the last `idleSeconds` are left alone: another process may run them.
 */
export async function recoverImports(nodes: ClusterNodes, idleSeconds = 0): Promise<void> {
  const left = await abandonedStagings(nodes, idleSeconds);
  if (left.length === 0) return;
  const statement = command("SELECT id FROM imports FINAL WHERE state = 'publishing'");
  const publishing = await nodes.engine.rows(select(v.object({ id: v.string() }), statement));
  for (const staging of left) {
    if (publishing.some(({ id }) => id === staging.id)) await finish(nodes, staging);
    await dropStaging(nodes, staging);
  }
}

/** Tombstones are written again, because other imports may have been published in the meantime. */
async function finish(nodes: ClusterNodes, staging: Staging): Promise<void> {
  await writeTombstones(nodes, staging);
  await publish(nodes, staging);
}

async function note({ engine }: ClusterNodes, { id }: Staging, state: 'publishing' | 'done') {
  await engine.execute(command(`INSERT INTO imports SELECT '${id}', '${state}', now64(3, 'UTC')`));
}

/** Attaches the staged parts without copying. Idempotent for readers, as rows are deduplicated. */
async function attach(nodes: ClusterNodes, staging: Staging): Promise<void> {
  const tables = stagedTables(nodes.topology, staging);
  for (const { table, target } of tables) {
    await executeEverywhere(nodes, `ALTER TABLE ${target} ATTACH PARTITION ALL FROM ${table}`);
  }
  await awaitReplication(
    nodes,
    tables.map(({ target }) => target),
  );
}
