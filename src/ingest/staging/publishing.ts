/**
 * Publishes a staged import atomically, even if the process dies.
 *
 * A row in `imports` marks the import as complete; then its parts are attached to the tables. If the
 * process dies in between, the next process that opens the database attaches the rest.
 */

import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import type { Engine } from '../../engine/engine.ts';
import { select } from '../../plan/select.ts';
import { command } from '../../plan/sql.ts';
import { NOTICE_DELAY } from '../../reading/import-barrier.ts';
import {
  awaitReplication,
  type ClusterNodes,
  executeEverywhere,
} from '../../schema/cluster-nodes.ts';
import { isOfDirectory, stagedDirectory } from './staged-directory.ts';
import {
  abandonedStagings,
  dropStaging,
  otherStagedTables,
  type Staging,
  stagedTables,
} from './staging.ts';
import { writeTombstones } from './tombstones.ts';

export async function publish(nodes: ClusterNodes, staging: Staging): Promise<void> {
  await publishTogether(nodes, staging, async () => await attach(nodes, staging));
}

/** Publishes entries of the directory. */
export async function publishDirectory(nodes: ClusterNodes, staging: Staging): Promise<void> {
  const staged = stagedDirectory(nodes.topology, staging);
  await publishTogether(nodes, staging, async () => await attachAll(nodes, [staged]));
}

/** Waits until every process has noticed what was just written. */
export async function awaitNotice({ engine }: ClusterNodes): Promise<void> {
  if (engine.state === undefined) await delay(NOTICE_DELAY);
}

/** Ends publications that a process left when it died, by the beginning of their names. */
export async function endPublications(nodes: ClusterNodes, prefix: string): Promise<void> {
  const left = command(
    `SELECT id FROM imports FINAL WHERE state = 'publishing' AND startsWith(id, '${prefix}')`,
  );
  for (const publication of await nodes.engine.rows(select(v.object({ id: v.string() }), left))) {
    await note(nodes, publication, 'done');
  }
}

/** Makes a change that readers see on all servers at the same moment, or before, or after. */
export async function publishTogether(
  nodes: ClusterNodes,
  change: { readonly id: string },
  publishAll: () => Promise<void>,
): Promise<void> {
  await note(nodes, change, 'publishing');
  // One server changes all months of a table atomically; on a cluster, readers must wait.
  if (nodes.servers.length > 1) await delay(NOTICE_DELAY);
  await publishAll();
  await note(nodes, change, 'done');
}

/**
 * Finishes imports that were being published, and removes the staging tables of all others.
 *
 * Imports that wrote anything in the last `idleSeconds` are left alone: another process may run them.
 */
export async function recoverImports(nodes: ClusterNodes, idleSeconds = 0): Promise<void> {
  await recoverStagings(nodes, await abandonedStagings(nodes, idleSeconds));
}

/** The same for staging tables of which no process makes use. */
export async function recoverStagings(
  nodes: ClusterNodes,
  left: readonly Staging[],
): Promise<void> {
  if (left.length === 0) return;
  const publishing = await publishingImports(nodes.engine);
  for (const staging of left) {
    if (publishing.has(staging.id)) await finish(nodes, staging);
    await dropStaging(nodes, staging);
  }
}

/** The ids of imports that are becoming visible, or were interrupted while they did. */
export async function publishingImports(engine: Engine): Promise<ReadonlySet<string>> {
  const statement = command("SELECT id FROM imports FINAL WHERE state = 'publishing'");
  const found = await engine.rows(select(v.object({ id: v.string() }), statement));
  return new Set(found.map(({ id }) => id));
}

/** Tombstones are written again, because other imports may have been published in the meantime. */
async function finish(nodes: ClusterNodes, staging: Staging): Promise<void> {
  if (await isOfDirectory(nodes, staging)) return await publishDirectory(nodes, staging);
  await writeTombstones(nodes, staging);
  await publish(nodes, staging);
}

async function note(
  { engine }: ClusterNodes,
  { id }: { readonly id: string },
  state: 'publishing' | 'done',
) {
  await engine.execute(command(`INSERT INTO imports SELECT '${id}', '${state}', now64(3, 'UTC')`));
}

/** Attaches the staged parts without copying. Idempotent for readers, as rows are deduplicated. */
async function attach(nodes: ClusterNodes, staging: Staging): Promise<void> {
  const tables = [
    ...stagedTables(nodes.topology, staging),
    ...(await otherStagedTables(nodes, staging)),
  ];
  await attachAll(nodes, tables);
}

async function attachAll(
  nodes: ClusterNodes,
  tables: readonly { readonly table: string; readonly target: string }[],
): Promise<void> {
  for (const { table, target } of tables) {
    await executeEverywhere(nodes, `ALTER TABLE ${target} ATTACH PARTITION ALL FROM ${table}`);
  }
  await awaitReplication(
    nodes,
    tables.map(({ target }) => target),
  );
}
