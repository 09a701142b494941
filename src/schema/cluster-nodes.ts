/** The servers on which a database's own tables lie, for whoever changes them. */

import { type Engine, EngineFailure } from '../engine/engine.ts';
import { ANY_ROW, select } from '../plan/select.ts';
import { command } from '../plan/sql.ts';
import type { Topology } from './topology.ts';

const PING = select(ANY_ROW, command('SELECT 1'));

export interface ClusterNodes {
  /** The one server that is asked, and that holds what an import needs in between. */
  readonly engine: Engine;
  /** All whose tables are changed; on one server that one alone. */
  readonly servers: readonly Engine[];
  readonly topology: Topology;
}

/**
 * The site of a database, of those servers that answer.
 *
 * On a cluster whose tables do not replicate themselves each server must answer: one that is left
 * out would never get the rows.
 */
export async function clusterNodesOf(database: Engine, topology: Topology): Promise<ClusterNodes> {
  const all = database.each();
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

/** Waits until every replica that answers holds what was written to the others. */
export async function replicated(nodes: ClusterNodes, tables: readonly string[]): Promise<void> {
  if (!nodes.topology.cluster?.isReplicated) return;
  for (const table of tables) await everywhere(nodes, `SYSTEM SYNC REPLICA ${table}`);
}

/** Executes a statement on every server, one after the other. */
export async function everywhere({ servers }: ClusterNodes, text: string): Promise<void> {
  for (const server of servers) await server.execute(command(text));
}
