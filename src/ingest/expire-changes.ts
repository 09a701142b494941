/** Drops changes older than `CHANGES_RETENTION`, and makes readers that have not received them begin again. */

import * as v from 'valibot';
import { INTEGER, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { type ClusterNodes, executeEverywhere } from '../schema/cluster-nodes.ts';
import { localTable } from '../schema/topology.ts';
import { waitForOtherProcesses } from './staging/publishing.ts';

const WEEK = v.object({ week: v.string(), until: INTEGER });

/** Drops only whole weeks, so changes are kept for up to a week longer than `days`. With 0 days, drops nothing. */
export async function expireChanges(nodes: ClusterNodes, days: number): Promise<void> {
  if (days === 0) return;
  const weeks = await expiredWeeks(nodes, days);
  const last = weeks.at(-1);
  if (last === undefined) return;
  // Recorded first, so that readers begin again instead of missing the changes.
  await nodes.engine.execute(
    plainStatement(`INSERT INTO publications
SELECT max(number), 'restarted', 0, 'expired', now64(3, 'UTC') FROM publications
WHERE state = 'published' AND batch < ${last.until} HAVING count() > 0`),
  );
  await waitForOtherProcesses(nodes);
  const table = localTable(nodes.topology, 'changes');
  for (const { week } of weeks)
    await executeEverywhere(nodes, `ALTER TABLE ${table} DROP PARTITION ID '${week}'`);
}

/** The weeks to drop, oldest first. `until` is the end of a week as a batch number: microseconds since 1970. */
async function expiredWeeks(
  { engine, servers, topology }: ClusterNodes,
  days: number,
): Promise<readonly v.InferOutput<typeof WEEK>[]> {
  const end = "(toUnixTimestamp(parseDateTime(partition_id, '%Y%m%d', 'UTC')) + 7 * 86400)";
  const parts = select(
    WEEK,
    plainStatement(`SELECT DISTINCT partition_id AS week, ${end} * 1000000 AS until FROM system.parts
WHERE active AND database = currentDatabase() AND table = '${localTable(topology, 'changes')}'
  AND ${end} <= toUnixTimestamp(now()) - ${days} * 86400`),
  );
  const all = servers.length === 0 ? [engine] : servers;
  const found = (await Promise.all(all.map((server) => server.rows(parts)))).flat();
  const weeks = new Map(found.map((week) => [week.week, week]));
  return [...weeks.values()].sort((one, other) => one.until - other.until);
}
