/** The table of imports: which are complete, and which are wholly visible. */

import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { type Engine, isExclusive } from '../../engine/engine.ts';
import { ANY_ROW, INTEGER, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import { CLOCK_TOLERANCE, RENEWAL_INTERVAL } from '../../reading/publication-times.ts';
import { awaitReplication, type ClusterNodes } from '../../schema/cluster-nodes.ts';
import { localTable } from '../../schema/topology.ts';

const IMPORT_STATES = ['publishing', 'done'] as const;

export type ImportState = (typeof IMPORT_STATES)[number];

/**
 * Marks an import, or another change that is published like one, such as an erasure. `publishing`: all its rows are
 * staged, so it will be finished even if this process dies. `done`: readers see all of them.
 */
export async function markImport(
  nodes: ClusterNodes,
  { id }: { readonly id: string },
  state: ImportState,
): Promise<void> {
  await insertState(nodes, 'imports', id, `'${id}', '${state}'`);
}

/**
 * Inserts the next state of an import or an erasure: the values of its columns, followed by its date. The state with
 * the latest date counts. So the date is later than that of all earlier states, even if the clock was set back.
 */
export async function insertState(
  nodes: ClusterNodes,
  table: 'imports' | 'erasures',
  id: string,
  values: string,
): Promise<void> {
  // Any replica may be asked for the earlier states.
  await awaitReplication(nodes, [localTable(nodes.topology, table)]);
  const earlier = `(SELECT max(at) FROM ${table} WHERE id = '${id}')`;
  const at = `greatest(now64(3, 'UTC'), ${earlier} + INTERVAL 1 MILLISECOND)`;
  await nodes.engine.execute(plainStatement(`INSERT INTO ${table} SELECT ${values}, ${at}`));
}

/**
 * Publishes, and meanwhile renews the mark `publishing`, so that readers wait and no other process finishes the
 * publication, however long it takes.
 */
export async function publishWhileMarked(
  nodes: ClusterNodes,
  change: { readonly id: string },
  publishAll: () => Promise<void>,
  interval = RENEWAL_INTERVAL,
): Promise<void> {
  // No other process looks at the marks of an embedded database.
  if (isExclusive(nodes.engine)) return await publishAll();
  const ended = new AbortController();
  const renewing = renewMark(nodes, change, interval, ended.signal);
  try {
    await publishAll();
  } finally {
    ended.abort();
    await renewing;
  }
}

async function renewMark(
  { engine }: ClusterNodes,
  { id }: { readonly id: string },
  interval: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await delay(interval, undefined, { signal }).catch(() => undefined);
    // A failure is no failure of the publication. The next renewal may succeed.
    if (!signal.aborted) await insertRenewal(engine, id).catch(() => undefined);
  }
}

const CLOCK = select(
  v.object({ now: INTEGER }),
  plainStatement('SELECT toUnixTimestamp64Milli(now64(3)) AS now'),
);

/**
 * Its date is fixed before it is sent, and dated back because the clocks of a cluster's servers differ. A server that
 * executes it too late must not replace the later mark `done`.
 */
async function insertRenewal(engine: Engine, id: string): Promise<void> {
  const [clock] = await engine.rows(CLOCK);
  if (clock === undefined) return;
  const at = `fromUnixTimestamp64Milli(toInt64(${clock.now - CLOCK_TOLERANCE}), 'UTC')`;
  await engine.execute(plainStatement(`INSERT INTO imports SELECT '${id}', 'publishing', ${at}`));
}

const MARKED = v.object({ id: v.string(), last: INTEGER, now: INTEGER });

/**
 * The ids of imports that are marked as complete but not yet wholly visible, in the order in which they were marked,
 * with the seconds since their last mark.
 */
export async function publishingImports(engine: Engine): Promise<ReadonlyMap<string, number>> {
  const statement =
    plainStatement(`SELECT id, toUnixTimestamp(max(at)) AS last, toUnixTimestamp(now()) AS now FROM imports
GROUP BY id HAVING argMax(state, at) = 'publishing' ORDER BY min(at), id`);
  const found = await engine.rows(select(MARKED, statement));
  return new Map(found.map(({ id, last, now }) => [id, now - last]));
}

/** Whether an import was marked as complete, and whether it is wholly visible; undefined if it was not marked. */
export async function importState(
  engine: Engine,
  { id }: { readonly id: string },
): Promise<ImportState | undefined> {
  const row = v.object({ state: v.picklist(IMPORT_STATES) });
  const statement = plainStatement(`SELECT state FROM imports FINAL WHERE id = '${id}'`);
  return (await engine.rows(select(row, statement)))[0]?.state;
}

/** Whether another process has published rows since a batch was begun. Staged rows were not compared with these. */
export async function hasOthersSince(
  { engine, topology }: ClusterNodes,
  { id }: { readonly id: string },
  batch: number,
): Promise<boolean> {
  if (isExclusive(engine)) return false;
  const since = batch - (topology.cluster === undefined ? 0 : CLOCK_TOLERANCE * 1000);
  const others = plainStatement(`SELECT 1 FROM imports FINAL WHERE id != '${id}'
AND (state = 'publishing' OR toUnixTimestamp64Micro(at) >= ${since}) LIMIT 1`);
  return (await engine.rows(select(ANY_ROW, others))).length > 0;
}
