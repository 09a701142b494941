/** Looks a cluster up in the configuration of its servers. */

import { suggestionFor } from '../contract/query/suggestion.ts';
import type { Engine } from '../engine/engine.ts';
import { bind, command, sql, statementOf } from '../plan/sql.ts';
import type { Cluster } from '../schema/topology.ts';
import { UserError } from '../user-error.ts';

interface Replica {
  readonly address: string;
  readonly replicates: number;
}

/** The cluster of that name; each of its servers must be among those of the engine. */
export async function clusterNamed(engine: Engine, name: string): Promise<Cluster> {
  const replicas = (await engine.rows(
    statementOf(sql`SELECT concat(host_name, ':', toString(port)) AS address, toUInt8(internal_replication) AS replicates
FROM system.clusters WHERE cluster = ${bind('String', name)}`),
  )) as readonly Replica[];
  if (replicas.length === 0) throw await unknownCluster(engine, name);
  const servers = engine.each();
  if (servers.length !== replicas.length) {
    const addresses = replicas.map(({ address }) => address).join(', ');
    throw new UserError(
      `The cluster ${name} has ${replicas.length} servers (${addresses}), but DATABASE_URL names ${servers.length}.`,
      'Name each of them in DATABASE_URL, with the port of its HTTP interface: clickhouse://user@host:8123,host2:8123/database',
    );
  }
  const isReplicated = replicas.every(({ replicates }) => replicates === 1);
  if (isReplicated) for (const server of servers) await checkMacros(server);
  return { name, isReplicated };
}

async function unknownCluster(engine: Engine, name: string): Promise<UserError> {
  const rows = (await engine.rows(
    command('SELECT DISTINCT cluster FROM system.clusters ORDER BY cluster'),
  )) as readonly { cluster: string }[];
  const known = rows.map(({ cluster }) => cluster);
  const clusters = known.length === 0 ? 'none' : known.join(', ');
  return new UserError(
    `The server knows no cluster ${name}; it knows: ${clusters}.${suggestionFor(name, known)}`,
    'Describe the cluster in the remote_servers of the configuration of each server: docs/how-to/run-on-a-cluster.md',
  );
}

/** Replicated tables find their place by the names that each server gives itself. */
async function checkMacros(server: Engine): Promise<void> {
  const rows = (await server.rows(command('SELECT macro FROM system.macros'))) as readonly {
    macro: string;
  }[];
  const missing = ['shard', 'replica'].filter((wanted) =>
    rows.every(({ macro }) => macro !== wanted),
  );
  if (missing.length === 0) return;
  throw new UserError(
    `A server of the cluster has no macro ${missing.join(' and ')}.`,
    'Give each server its shard and replica in <macros>: docs/how-to/run-on-a-cluster.md',
  );
}
