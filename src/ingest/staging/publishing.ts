/**
 * Publishes a staged import atomically, even if the process dies.
 *
 * A row in `imports` marks the import as complete; then its parts are attached to the tables. If the
 * process dies in between, the rest is attached when an embedded database is opened again, and on servers
 * before a later import is staged or published, see recover-others.ts.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { isExclusive } from '../../engine/engine.ts';
import { ANY_ROW, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import { NOTICE_DELAY } from '../../reading/publication-times.ts';
import {
  awaitReplication,
  type ClusterNodes,
  everyServer,
  executeEverywhere,
} from '../../schema/cluster-nodes.ts';
import { localTable } from '../../schema/topology.ts';
import { tableComment } from '../../schema/values/table-comment.ts';
import { stagingHolders } from '../staging-holders.ts';
import { hasOthersSince, markImport, publishWhileMarked } from './import-state.ts';
import { announceNumber, takeNumber } from './publication-number.ts';
import { hasStagedChanges, newBatch, stagedChanges, writeAllChanges } from './staged-changes.ts';
import { isOfDirectory, stagedDirectory } from './staged-directory.ts';
import {
  otherStagedTables,
  type Staging,
  stagedTables,
  stagingName,
  stagingsIdleFor,
} from './staging.ts';
import { writeLateTombstones, writeTombstones } from './tombstones.ts';

/**
 * Publishes the rows, and then their changes.
 *
 * `prepare` is what remains to be staged. It returns the batch of the staged changes, which was begun before the
 * tombstones were written, or 0 if there are no staged changes, as after a restore.
 */
export async function publish(
  nodes: ClusterNodes,
  staging: Staging,
  prepare: () => Promise<number> = async () => 0,
): Promise<void> {
  const announced = await announceNumber(nodes, staging.id);
  await publishAtomically(nodes, staging, async () => {
    const batch = await prepare();
    await attach(nodes, staging);
    const published = batch === 0 ? 0 : await attachChanges(nodes, staging, batch);
    await takeNumber(nodes, { id: staging.id, batch: published }, announced);
  });
}

/** Publishes entries of the directory. */
export async function publishDirectory(nodes: ClusterNodes, staging: Staging): Promise<void> {
  const staged = stagedDirectory(nodes.topology, staging);
  await publishAtomically(nodes, staging, async () => await attachAll(nodes, [staged]));
}

/** Waits until every other process has noticed what was just written. */
export async function waitForOtherProcesses({ engine }: ClusterNodes): Promise<void> {
  if (!isExclusive(engine)) await delay(NOTICE_DELAY);
}

/** Makes a change on all servers. A reader sees all of them either before the change or after it. */
export async function publishAtomically(
  nodes: ClusterNodes,
  change: { readonly id: string },
  publishAll: () => Promise<void>,
  renewalInterval?: number,
): Promise<void> {
  await markImport(nodes, change, 'publishing');
  // Readers look for the mark on any replica.
  await awaitReplication(nodes, [localTable(nodes.topology, 'imports')]);
  // One server changes all months of a table atomically. On a cluster, readers must notice the mark and wait.
  if (everyServer(nodes).length > 1) await delay(NOTICE_DELAY);
  await publishWhileMarked(nodes, change, publishAll, renewalInterval);
  await markImport(nodes, change, 'done');
}

/**
 * Publishes an import again whose process died while it was being published. Another process may do so at the same
 * time, and then remove the staging tables first.
 */
export async function finishPublication(nodes: ClusterNodes, staging: Staging): Promise<void> {
  try {
    await finish(nodes, staging);
  } catch (error) {
    if ((await stagingsIdleFor(nodes, 0)).some(({ id }) => id === staging.id)) throw error;
    await markImport(nodes, staging, 'done');
  }
}

/**
 * Tombstones are written again, because other imports may have been published in the meantime. All is written after the
 * mark has been renewed, so that other processes wait.
 */
async function finish(all: ClusterNodes, staging: Staging): Promise<void> {
  const nodes = await stagingHolders(all, staging);
  if (await isOfDirectory(nodes, staging)) return await publishDirectory(nodes, staging);
  await publish(nodes, staging, async () => {
    const batch = await newBatch(nodes);
    await writeTombstones(nodes, staging);
    const hasChanges = await hasStagedChanges(nodes, staging);
    return hasChanges ? await writeAllChanges(nodes, staging, batch) : 0;
  });
}

/** Attaches the staged parts without copying. Idempotent for readers, as rows are deduplicated. */
async function attach(nodes: ClusterNodes, staging: Staging): Promise<void> {
  const tables = [
    ...stagedTables(nodes.topology, staging),
    ...(await otherStagedTables(nodes, staging)),
  ];
  // First, because waiting for replicas of a large restore may fail.
  await replaceKeys(nodes, staging);
  await attachAll(nodes, tables);
}

/**
 * Replaces the keys by those of a restored backup. If they were attached, those that were created first would count.
 * An import has no staged keys, and a shard may have none.
 */
async function replaceKeys(nodes: ClusterNodes, { id }: Staging): Promise<void> {
  const keys = localTable(nodes.topology, 'keys');
  const staged = localTable(nodes.topology, stagingName(id, 'keys'));
  for (const server of nodes.servers) {
    if ((await tableComment(server, staged)) === undefined) continue;
    const found = select(ANY_ROW, plainStatement(`SELECT 1 FROM ${staged} LIMIT 1`));
    if ((await server.rows(found)).length === 0) continue;
    const text = `ALTER TABLE ${keys} REPLACE PARTITION ID 'all' FROM ${staged}`;
    await server.execute(plainStatement(text));
    await awaitReplication(nodes, [keys]);
  }
}

/**
 * Attaches the staged changes. Returns their batch.
 *
 * If another process has published rows since `batch` was begun, first completes the tombstones and the changes.
 */
async function attachChanges(
  nodes: ClusterNodes,
  staging: Staging,
  batch: number,
): Promise<number> {
  const isAlone = !(await hasOthersSince(nodes, staging, batch));
  if (!isAlone) await writeLateTombstones(nodes, staging);
  const attached = isAlone ? batch : await writeAllChanges(nodes, staging, await newBatch(nodes));
  await attachAll(nodes, [stagedChanges(nodes.topology, staging)]);
  return attached;
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
