/** Migrates a database to this version: embedded, on one server, or on all servers of a cluster. */

import { refuseInterruptedRestore } from '../backup/interrupted-restore.ts';
import { openChdb } from '../engine/chdb/open-chdb.ts';
import { openClickHouse } from '../engine/clickhouse/open-clickhouse.ts';
import type { Engine } from '../engine/engine.ts';
import { clusterNodesOf } from '../schema/cluster-nodes.ts';
import { CREATION } from '../schema/migration-table.ts';
import { storedTimeZone } from '../schema/migrations.ts';
import { ONE_SERVER } from '../schema/topology.ts';
import { endAbandonedLease } from '../schema/values/maintenance-lease.ts';
import { UserError } from '../user-error.ts';
import { type Announce, changeAddressVisibility } from './change-ip-addresses.ts';
import { readDatabaseUrl } from './database-url.ts';
import { migrateEmbedded } from './migrate-embedded.ts';
import { migrateServers } from './migrate-servers.ts';
import { type DatabaseSettings, socketPath, unreachableServers } from './open-database.ts';
import { agreedTimeZone } from './time-zone-setting.ts';

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
    const { directory } = address;
    return await closing(await openChdb(directory, socketPath(directory)), async (engine) => {
      const timeZone = agreedTimeZone(await storedTimeZone(engine), settings.timeZone);
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

const noCluster = (): UserError =>
  new UserError(
    'An embedded database cannot be on a cluster: --cluster is for ClickHouse servers.',
    'Name the servers: DATABASE_URL=clickhouse://user:password@host:8123,host2:8123/database',
  );
