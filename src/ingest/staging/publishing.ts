/**
 * Makes a staged import visible: all of it or nothing, whenever the process dies.
 *
 * A line in `imports` says that the import is complete; from then on its rows are added to the
 * tables, and whoever opens the database next finishes what a dead process began.
 */

import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { select } from '../../plan/select.ts';
import { command } from '../../plan/sql.ts';
import { NOTICE } from '../../reading/import-barrier.ts';
import { type ClusterNodes, everywhere, replicated } from '../../schema/cluster-nodes.ts';
import { dropStaging, leftStagings, type Staging, stagedTables } from './staging.ts';
import { writeTombstones } from './tombstones.ts';

export async function publish(nodes: ClusterNodes, staging: Staging): Promise<void> {
  await note(nodes, staging, 'publishing');
  // One server adds all months of a table at the same moment; several need the readers to wait.
  if (nodes.servers.length > 1) await delay(NOTICE);
  await attach(nodes, staging);
  await note(nodes, staging, 'done');
}

/**
 * Finishes imports that were being published and removes those that were not.
 *
 * Only those that wrote nothing for `quiet` seconds: on a server, another process may be at work.
 */
export async function recoverImports(nodes: ClusterNodes, quiet = 0): Promise<void> {
  const left = await leftStagings(nodes, quiet);
  if (left.length === 0) return;
  const statement = command("SELECT id FROM imports FINAL WHERE state = 'publishing'");
  const publishing = await nodes.engine.rows(select(v.object({ id: v.string() }), statement));
  for (const staging of left) {
    if (publishing.some(({ id }) => id === staging.id)) await finish(nodes, staging);
    await dropStaging(nodes, staging);
  }
}

/** What was published since the import died may have left, or gone on, from where it goes. */
async function finish(nodes: ClusterNodes, staging: Staging): Promise<void> {
  await writeTombstones(nodes, staging);
  await publish(nodes, staging);
}

async function note({ engine }: ClusterNodes, { id }: Staging, state: 'publishing' | 'done') {
  await engine.execute(command(`INSERT INTO imports SELECT '${id}', '${state}', now64(3, 'UTC')`));
}

/** Adds the staged rows, which costs no copying. Done again, it changes nothing that is seen. */
async function attach(nodes: ClusterNodes, staging: Staging): Promise<void> {
  const tables = stagedTables(nodes.topology, staging);
  for (const { table, target } of tables) {
    await everywhere(nodes, `ALTER TABLE ${target} ATTACH PARTITION ALL FROM ${table}`);
  }
  await replicated(
    nodes,
    tables.map(({ target }) => target),
  );
}
