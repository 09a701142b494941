/** Finds the servers that have the staged rows of a complete import, so that the import can be finished. */

import type { Engine } from '../engine/engine.ts';
import { type ClusterNodes, shardsOf } from '../schema/cluster-nodes.ts';
import { UserError } from '../user-error.ts';
import { mainTablesOn } from './staging/staged-directory.ts';
import type { Staging } from './staging/staging.ts';

/**
 * The servers that have the staged rows, with the other ones as followers. A server that was away during the import
 * has no staged rows, and neither has one that follows another during a restore. It gets them from the replicas of its
 * shard. Throws a UserError if it would not get them.
 */
export async function stagingHolders(nodes: ClusterNodes, staging: Staging): Promise<ClusterNodes> {
  const { servers, topology } = nodes;
  if (topology.cluster === undefined) return nodes;
  const tables = await Promise.all(
    servers.map(async (server) => await mainTablesOn(server, topology, staging)),
  );
  const holders = servers.filter((_, at) => tables[at]?.length);
  const followers = servers.filter((server) => !holders.includes(server));
  const { isReplicated } = topology.cluster;
  if (followers.length === 0 && !isReplicated) return nodes;
  const isHolder = (server: Engine) => holders.includes(server);
  const lacking = (await shardsOf(nodes)).findIndex((replicas) =>
    isReplicated ? !replicas.some(isHolder) : !replicas.every(isHolder),
  );
  const [engine] = holders;
  if (lacking >= 0 || engine === undefined) throw lacksRows(lacking + 1);
  return { engine, servers: holders, topology, followers };
}

const lacksRows = (shard: number): UserError =>
  new UserError(
    `An earlier import is complete, but cannot be made visible: its staged rows are missing in shard ${shard}.`,
    'Start all servers of that shard with their data, then repeat the command.',
  );
