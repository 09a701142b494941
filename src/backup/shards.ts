/** The servers of a database by shard. */

import * as v from 'valibot';
import type { Engine } from '../engine/engine.ts';
import { EngineFailure } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, sql, statementOf } from '../plan/sql.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';

/** The replicas of one shard that answer; at least one. */
export type Shard = readonly [Engine, ...Engine[]];

const SHARD = v.object({ shard: INTEGER, shards: INTEGER });

/** The shards in the order of their numbers; throws an EngineFailure if no replica of a shard answers. */
export async function shardsOf(nodes: ClusterNodes): Promise<readonly Shard[]> {
  const { cluster } = nodes.topology;
  if (cluster === undefined) return [[nodes.engine]];
  const found = await Promise.all(
    nodes.servers.map(async (server) => ({ server, ...(await shardOf(server, cluster.name)) })),
  );
  const count = found[0]?.shards ?? 0;
  return Array.from({ length: count }, (_, at) => {
    const [first, ...others] = found.filter(({ shard }) => shard === at + 1);
    if (first === undefined) throw new EngineFailure(`No server of shard ${at + 1} answers.`);
    return [first.server, ...others.map(({ server }) => server)];
  });
}

async function shardOf(server: Engine, cluster: string) {
  const name = bind('String', cluster);
  const statement =
    statementOf(sql`SELECT anyIf(shard_num, is_local) AS shard, max(shard_num) AS shards
FROM system.clusters WHERE cluster = ${name}`);
  const [found] = await server.rows(select(SHARD, statement));
  if (found !== undefined && found.shard > 0) return found;
  throw new EngineFailure(
    `A server is not in the cluster ${cluster}, according to its own configuration.`,
  );
}
