/** Looks up a cluster in the configuration of the servers. */

import * as v from 'valibot';
import { suggestionFor } from '../contract/query/suggestion.ts';
import { type Engine, EngineFailure } from '../engine/engine.ts';
import { select } from '../plan/select.ts';
import { bind, plainStatement, sql, statementOf } from '../plan/sql.ts';
import type { Cluster } from '../schema/topology.ts';
import { UserError } from '../user-error.ts';

const REPLICA = v.object({ address: v.string(), replicates: v.number() });

type Replica = v.InferOutput<typeof REPLICA>;

/** The cluster of that name; DATABASE_URL must name all of its servers. */
export async function clusterNamed(engine: Engine, name: string): Promise<Cluster> {
  const replicas = await replicasOf(engine, name);
  if (replicas.length === 0) throw await unknownCluster(engine, name);
  checkServers(engine, name, replicas);
  const isReplicated = replicas.every(({ replicates }) => replicates === 1);
  if (isReplicated) for (const server of engine.each()) await checkMacros(server);
  return { name, isReplicated };
}

/** The ClickHouse error code for a user who lacks a right. */
const ACCESS_DENIED = 497;

/**
 * Throws if DATABASE_URL does not name all servers of the cluster. The service reads the state of each server, so it
 * would miss changes on the others. Does nothing for a user who may not read which servers there are.
 */
export async function requireNamedServers(engine: Engine, { name }: Cluster): Promise<void> {
  try {
    checkServers(engine, name, await replicasOf(engine, name));
  } catch (error) {
    if (!(error instanceof EngineFailure && error.number === ACCESS_DENIED)) throw error;
  }
}

async function replicasOf(engine: Engine, name: string): Promise<readonly Replica[]> {
  const statement =
    statementOf(sql`SELECT concat(host_name, ':', toString(port)) AS address, toUInt8(internal_replication) AS replicates
FROM system.clusters WHERE cluster = ${bind('String', name)}`);
  return await engine.rows(select(REPLICA, statement));
}

function checkServers(engine: Engine, name: string, replicas: readonly Replica[]): void {
  const named = engine.each().length;
  if (named === replicas.length) return;
  const addresses = replicas.map(({ address }) => address).join(', ');
  throw new UserError(
    `The cluster ${name} has ${replicas.length} servers (${addresses}), but DATABASE_URL names ${named}.`,
    'Name each of them in DATABASE_URL, with the port of its HTTP interface: clickhouse://user@host:8123,host2:8123/database',
  );
}

async function unknownCluster(engine: Engine, name: string): Promise<UserError> {
  const clusters = plainStatement('SELECT DISTINCT cluster FROM system.clusters ORDER BY cluster');
  const rows = await engine.rows(select(v.object({ cluster: v.string() }), clusters));
  const known = rows.map(({ cluster }) => cluster);
  const names = known.length === 0 ? 'none' : known.join(', ');
  return new UserError(
    `The server has no cluster named ${name}. Its clusters: ${names}.${suggestionFor(name, known)}`,
    'Define the cluster under remote_servers in the configuration of each server: docs/how-to/run-on-a-cluster.md',
  );
}

/** Replicated tables need the macros `shard` and `replica` on each server. */
async function checkMacros(server: Engine): Promise<void> {
  const macros = plainStatement('SELECT macro FROM system.macros');
  const rows = await server.rows(select(v.object({ macro: v.string() }), macros));
  const missing = ['shard', 'replica'].filter((wanted) =>
    rows.every(({ macro }) => macro !== wanted),
  );
  if (missing.length === 0) return;
  throw new UserError(
    `A server of the cluster has no macro ${missing.join(' and ')}.`,
    'Give each server its shard and replica in <macros>: docs/how-to/run-on-a-cluster.md',
  );
}
