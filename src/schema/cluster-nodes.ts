/** The servers of a database that answer, and their shards, for statements that change tables. */

import * as v from 'valibot';
import { declareChanges } from '../engine/declare-changes.ts';
import { type ChangedData, type Engine, EngineFailure } from '../engine/engine.ts';
import { ANY_ROW, INTEGER, select } from '../plan/select.ts';
import { bind, plainStatement, sql, statementOf } from '../plan/sql.ts';
import type { Topology } from './topology.ts';

const PING = select(ANY_ROW, plainStatement('SELECT 1'));

export interface ClusterNodes {
  /** The server that runs queries and holds the staging tables of a running import. */
  readonly engine: Engine;
  /** All servers whose tables are changed. */
  readonly servers: readonly Engine[];
  readonly topology: Topology;
  /** Servers whose tables are not changed. They get the rows from their replicas. */
  readonly followers?: readonly Engine[];
  /** Whether a server does not answer, so that its tables are unknown. */
  readonly isIncomplete?: boolean;
}

/** The servers and their followers. */
export const everyServer = ({ servers, followers = [] }: ClusterNodes): readonly Engine[] => [
  ...servers,
  ...followers,
];

/**
 * Finds the servers that answer. A statement on them may change at most the data that `changes` names.
 *
 * On a cluster without replicated tables every server must answer: a server that is left out would
 * never get the rows.
 */
export async function clusterNodesOf(
  database: Engine,
  topology: Topology,
  changes: ChangedData = 'all',
): Promise<ClusterNodes> {
  const { servers, failed } = await pinged(declareChanges(database, changes).each());
  const [engine] = servers;
  const needsAll = topology.cluster?.isReplicated === false;
  if (engine === undefined || (needsAll && failed !== undefined)) {
    throw new EngineFailure(`A server of the cluster does not answer: ${failed?.reason.message}`, {
      cause: failed?.reason,
    });
  }
  const changed = topology.cluster === undefined ? [engine] : servers;
  return { engine, servers: changed, topology, isIncomplete: failed !== undefined };
}

/** The servers of a database that answer. */
export const answeringServers = async (database: Engine): Promise<readonly Engine[]> =>
  (await pinged(database.each())).servers;

async function pinged(all: readonly Engine[]) {
  const asked = await Promise.allSettled(all.map((server) => server.rows(PING)));
  return {
    servers: all.filter((_, at) => asked[at]?.status === 'fulfilled'),
    failed: asked.find((answer) => answer.status === 'rejected'),
  };
}

/** The same servers, for statements that change staging tables only. */
export const stagingNodesOf = ({ engine, servers, topology }: ClusterNodes): ClusterNodes => ({
  engine: declareChanges(engine, 'nothing'),
  servers: servers.map((server) => declareChanges(server, 'nothing')),
  topology,
});

/** Waits until every replica has the rows that were written to the others. */
export async function awaitReplication(
  nodes: ClusterNodes,
  tables: readonly string[],
): Promise<void> {
  if (!nodes.topology.cluster?.isReplicated) return;
  const all = { servers: everyServer(nodes) };
  for (const table of tables) await executeEverywhere(all, `SYSTEM SYNC REPLICA ${table}`);
}

/** Like `awaitReplication`, but waits again when a wait reaches the time limit of the server. */
export async function awaitFullReplication(
  nodes: ClusterNodes,
  tables: readonly string[],
): Promise<void> {
  try {
    await awaitReplication(nodes, tables);
  } catch (error) {
    if (!(error instanceof EngineFailure && error.isTimeout)) throw error;
    await awaitFullReplication(nodes, tables);
  }
}

/** Executes a statement on every server in turn. */
export async function executeEverywhere(
  { servers }: Pick<ClusterNodes, 'servers'>,
  text: string,
): Promise<void> {
  for (const server of servers) await server.execute(plainStatement(text));
}

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
