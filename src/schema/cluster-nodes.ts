/** The servers of a database that answer, for statements that change tables. */

import { declareChanges } from '../engine/declare-changes.ts';
import { type ChangedData, type Engine, EngineFailure } from '../engine/engine.ts';
import { ANY_ROW, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import type { Topology } from './topology.ts';

const PING = select(ANY_ROW, plainStatement('SELECT 1'));

export interface ClusterNodes {
  /** The server that runs queries and holds the staging tables of a running import. */
  readonly engine: Engine;
  /** All servers whose tables are changed. */
  readonly servers: readonly Engine[];
  readonly topology: Topology;
}

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
  const all = declareChanges(database, changes).each();
  const asked = await Promise.allSettled(all.map((server) => server.rows(PING)));
  const servers = all.filter((_, at) => asked[at]?.status === 'fulfilled');
  const failed = asked.find((answer) => answer.status === 'rejected');
  const [engine] = servers;
  const needsAll = topology.cluster?.isReplicated === false;
  if (engine === undefined || (needsAll && failed !== undefined)) {
    throw new EngineFailure(`A server of the cluster does not answer: ${failed?.reason.message}`, {
      cause: failed?.reason,
    });
  }
  return { engine, servers: topology.cluster === undefined ? [engine] : servers, topology };
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
  for (const table of tables) await executeEverywhere(nodes, `SYSTEM SYNC REPLICA ${table}`);
}

/** Executes a statement on every server in turn. */
export async function executeEverywhere({ servers }: ClusterNodes, text: string): Promise<void> {
  for (const server of servers) await server.execute(plainStatement(text));
}
