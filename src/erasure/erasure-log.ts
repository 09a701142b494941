/** The table of erasures, in which a process finds the unfinished erasures of processes that died. */

import * as v from 'valibot';
import { isExclusive } from '../engine/engine.ts';
import { insertState } from '../ingest/staging/import-state.ts';
import { select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { awaitReplication, type ClusterNodes } from '../schema/cluster-nodes.ts';
import { ERASURE_MODES, type ErasureMode } from '../schema/erasure-tables.ts';
import { localTable } from '../schema/topology.ts';
import type { StoredAddressVisibility } from '../schema/values/stored-address-visibility.ts';

/** Milliseconds between two heartbeats of the process that erases. */
const HEARTBEAT = 10_000;

/** Seconds without a heartbeat after which another process may complete the erasure. */
const DEAD_AFTER = 60;

const ERASURE = v.object({
  id: v.string(),
  mode: v.picklist(ERASURE_MODES),
  is_alive: v.union([v.literal(0), v.literal(1)]),
});

export interface Erasure {
  readonly id: string;
  readonly mode: ErasureMode;
}

export interface UnfinishedErasure extends Erasure {
  /** Whether another process may still be working on it. */
  readonly isAlive: boolean;
}

export async function noteErasure(
  nodes: ClusterNodes,
  { id, mode }: Erasure,
  state: 'erasing' | 'done',
): Promise<void> {
  await insertState(nodes, 'erasures', id, `'${id}', '${mode}', '${state}'`);
}

/** The oldest first. Waits first for replicas that are late. */
export async function unfinishedErasures(
  nodes: ClusterNodes,
): Promise<readonly UnfinishedErasure[]> {
  await awaitReplication(nodes, [localTable(nodes.topology, 'erasures')]);
  const erasing =
    plainStatement(`SELECT id, mode, at > now64(3, 'UTC') - INTERVAL ${DEAD_AFTER} SECOND AS is_alive
FROM erasures FINAL WHERE state = 'erasing' ORDER BY at`);
  const rows = await nodes.engine.rows(select(ERASURE, erasing));
  return rows.map(({ id, mode, is_alive }) => ({ id, mode, isAlive: is_alive === 1 }));
}

/**
 * Whether an erasure is running, or must be completed before rows are copied. None runs in an embedded database that is
 * migrated. If a change of IP_ADDRESSES was interrupted too, that change is finished first, because an erasure is
 * refused while it is pending.
 */
export async function hasErasure(
  nodes: ClusterNodes,
  addresses: StoredAddressVisibility,
): Promise<boolean> {
  if (isExclusive(nodes.engine)) return false;
  const unfinished = await unfinishedErasures(nodes);
  return unfinished.some(({ isAlive }) => isAlive || !addresses.isPending);
}

/** Does nothing after `done`: this process may have been suspended while another one completed the erasure. */
async function beat({ engine }: ClusterNodes, { id, mode }: Erasure): Promise<void> {
  const row = `'${id}', '${mode}', 'erasing', now64(3, 'UTC')`;
  const ended = `SELECT count() FROM erasures WHERE id = '${id}' AND state = 'done'`;
  await engine.execute(plainStatement(`INSERT INTO erasures SELECT ${row} WHERE (${ended}) = 0`));
}

/** Stores heartbeats while a function runs. */
export async function withHeartbeat(
  nodes: ClusterNodes,
  erasure: Erasure,
  work: () => Promise<void>,
): Promise<void> {
  let beating: Promise<void> = Promise.resolve();
  const beats = setInterval(() => {
    beating = beat(nodes, erasure).catch(() => undefined);
  }, HEARTBEAT);
  try {
    await work();
  } finally {
    clearInterval(beats);
    // A late heartbeat must not replace the state `done`.
    await beating;
  }
}
