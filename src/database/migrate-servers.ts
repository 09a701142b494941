/** Migrates a database on one server or on all servers of a cluster. */

import { refuseInterruptedRestore } from '../backup/interrupted-restore.ts';
import type { Engine } from '../engine/engine.ts';
import { ensureFirstPublication } from '../schema/change-tables.ts';
import { awaitReplication } from '../schema/cluster-nodes.ts';
import { addressVisibilityOrDefault, isMigrationDue, migrate } from '../schema/migrations.ts';
import { localTable, ONE_SERVER, storedTopology, type Topology } from '../schema/topology.ts';
import type { RequireLease } from '../schema/values/maintenance-lease.ts';
import { ensureKeys } from '../store/secret-keys.ts';
import { UserError } from '../user-error.ts';
import { type Announce, changeAddressVisibility } from './change-ip-addresses.ts';
import { clusterNamed } from './cluster.ts';
import { createdNodesOf, migrateAlone } from './migrate-alone.ts';
import { agreedTimeZone, type DatabaseSettings } from './open-database.ts';

/** Returns the names of the changes. If `clusterName` is given, a new database is created on that cluster. */
export async function migrateServers(
  engine: Engine,
  settings: DatabaseSettings,
  clusterName: string | undefined,
  announce: Announce,
): Promise<readonly string[]> {
  const topology = await wantedTopology(engine, clusterName);
  const timeZone = await agreedTimeZone(engine, settings.timeZone);
  const servers = topology.cluster === undefined ? [engine] : engine.each();
  const nodes = { engine, servers, topology };
  await refuseInterruptedRestore(nodes);
  const { visibility } = await addressVisibilityOrDefault(engine);
  const done = new Set<string>();
  const migrateAll = async (requireLease?: RequireLease) => {
    const options = { shown: visibility, requireLease };
    for (const server of servers) {
      for (const name of await migrate(server, timeZone, topology, options)) done.add(name);
    }
  };
  const isDue = await Promise.all(
    servers.map((server) => isMigrationDue(server, timeZone, topology, visibility)),
  );
  const created = isDue.includes(true) ? await createdNodesOf(nodes) : undefined;
  // No other process uses a database whose creation has not ended, and it has no table for a lease.
  await (created === undefined ? migrateAll() : migrateAlone(created, migrateAll));
  // A new replica without the stored keys and the first publication would make this create others.
  const common = ['keys', 'publications'].map((table) => localTable(topology, table));
  await awaitReplication(nodes, common);
  await ensureKeys(engine);
  await ensureFirstPublication(engine);
  const change = { timeZone, wanted: settings.addresses, announce };
  for (const name of await changeAddressVisibility(nodes, change)) done.add(name);
  return [...done];
}

/** An existing database cannot be moved between one server and a cluster. */
async function wantedTopology(engine: Engine, clusterName: string | undefined): Promise<Topology> {
  const stored = await storedTopology(engine);
  const present = stored?.cluster?.name;
  const name = clusterName ?? present;
  if (name === undefined) return ONE_SERVER;
  if (present !== undefined && present !== name) {
    throw new UserError(
      `The database is spread over the cluster ${present}, not ${name}.`,
      `Omit --cluster, or run: transactions migrate --cluster ${present}`,
    );
  }
  if (stored !== undefined && present === undefined) {
    throw new UserError(
      'The database has its tables on one server already.',
      'To use a cluster, name another database in DATABASE_URL, run transactions migrate --cluster NAME, and import into it.',
    );
  }
  return { cluster: await clusterNamed(engine, name) };
}
