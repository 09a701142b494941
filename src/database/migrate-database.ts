/** Migrates a database to this version: embedded, on one server, or on all servers of a cluster. */

import { refuseInterruptedRestore } from '../backup/interrupted-restore.ts';
import { openChdb } from '../engine/chdb/open-chdb.ts';
import { openClickHouse } from '../engine/clickhouse/open-clickhouse.ts';
import type { Engine } from '../engine/engine.ts';
import { ensureFirstPublication } from '../schema/change-tables.ts';
import { awaitReplication, clusterNodesOf } from '../schema/cluster-nodes.ts';
import { CREATION } from '../schema/migration-table.ts';
import { addressVisibilityOrDefault, migrate } from '../schema/migrations.ts';
import { localTable, ONE_SERVER, storedTopology, type Topology } from '../schema/topology.ts';
import { endAbandonedLease } from '../schema/values/maintenance-lease.ts';
import { ensureKeys } from '../store/secret-keys.ts';
import { UserError } from '../user-error.ts';
import { type Announce, changeAddressVisibility } from './change-ip-addresses.ts';
import { clusterNamed } from './cluster.ts';
import { readDatabaseUrl } from './database-url.ts';
import { finishServerImports } from './finish-imports.ts';
import { migrateEmbedded } from './migrate-embedded.ts';
import { agreedTimeZone, type DatabaseSettings, unreachableServers } from './open-database.ts';

/**
 * Applies the missing migrations, and returns their names. If `clusterName` is given, a new database is created on
 * that cluster.
 *
 * `announce` is told what a change of the setting for IP addresses costs, before the change begins.
 */
export async function migrateDatabase(
  settings: DatabaseSettings,
  clusterName?: string,
  announce: Announce = () => undefined,
): Promise<readonly string[]> {
  const address = readDatabaseUrl(settings.url, settings.password);
  if (address.kind === 'chdb') {
    if (clusterName !== undefined) throw noCluster();
    return await closing(await openChdb(address.directory), async (engine) => {
      const timeZone = await agreedTimeZone(engine, settings.timeZone);
      const nodes = await clusterNodesOf(engine, ONE_SERVER);
      await refuseInterruptedRestore(nodes);
      const done = await migrateEmbedded(nodes, timeZone);
      // No other process has the database open, so a lease is that of a process that died.
      await endAbandonedLease(nodes);
      const change = { timeZone, wanted: settings.addresses, announce };
      return [...done, ...(await changeAddressVisibility(nodes, change))];
    });
  }
  return await closing(await openClickHouse(address.servers), async (engine) => {
    try {
      return await migrateServers(engine, settings, clusterName, announce);
    } catch (error) {
      throw unreachableServers(error);
    }
  });
}

/** Whether the applied migrations have created the database. */
export const isCreation = (done: readonly string[]): boolean => done.includes(CREATION);

async function closing<Result>(
  engine: Engine,
  use: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

async function migrateServers(
  engine: Engine,
  settings: DatabaseSettings,
  clusterName: string | undefined,
  announce: Announce,
): Promise<readonly string[]> {
  const topology = await wantedTopology(engine, clusterName);
  const timeZone = await agreedTimeZone(engine, settings.timeZone);
  const done = new Set<string>();
  const servers = topology.cluster === undefined ? [engine] : engine.each();
  const nodes = { engine, servers, topology };
  await refuseInterruptedRestore(nodes);
  const { visibility } = await addressVisibilityOrDefault(engine);
  await finishServerImports(nodes, timeZone, visibility);
  for (const server of servers) {
    for (const name of await migrate(server, timeZone, topology, visibility)) done.add(name);
  }
  // A new replica without the stored keys and the first publication would make this create others.
  const created = ['keys', 'publications'].map((table) => localTable(topology, table));
  await awaitReplication(nodes, created);
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

const noCluster = (): UserError =>
  new UserError(
    'An embedded database cannot be on a cluster: --cluster is for ClickHouse servers.',
    'Name the servers: DATABASE_URL=clickhouse://user:password@host:8123,host2:8123/database',
  );
