/** Heartbeats of a backup or a restore, so that other processes do not remove its tables as abandoned. */

import { type Staging, stagingName } from '../ingest/staging/staging.ts';
import { plainStatement } from '../plan/sql.ts';
import { type ClusterNodes, executeEverywhere, stagingNodesOf } from '../schema/cluster-nodes.ts';

/** Milliseconds between two heartbeats. Tables that did not change for an hour count as abandoned. */
const HEARTBEAT = 300_000;

/** Writes to a small staging table on every server while a function runs. The caller drops the table with the others. */
export async function withStagingHeartbeat<Result>(
  nodes: ClusterNodes,
  { id }: Staging,
  work: () => Promise<Result>,
  interval = HEARTBEAT,
): Promise<Result> {
  const stagingNodes = stagingNodesOf(nodes);
  const table = stagingName(id, 'heartbeat');
  await executeEverywhere(
    stagingNodes,
    `CREATE TABLE ${table} (at DateTime('UTC')) ENGINE = MergeTree ORDER BY at`,
  );
  const beat = plainStatement(`INSERT INTO ${table} SELECT now('UTC')`);
  let beating: Promise<unknown> = Promise.resolve();
  const beats = setInterval(() => {
    beating = Promise.allSettled(stagingNodes.servers.map((server) => server.execute(beat)));
  }, interval);
  try {
    return await work();
  } finally {
    clearInterval(beats);
    await beating;
  }
}
