/** Migrates a database on one server or on all servers of a cluster. */

import { refuseInterruptedRestore } from '../backup/interrupted-restore.ts';
import type { Engine } from '../engine/engine.ts';
import { ensureFirstPublication } from '../schema/change-tables.ts';
import { awaitReplication } from '../schema/cluster-nodes.ts';
import { isMigrationDue, migrate, visibilityOn } from '../schema/migrations.ts';
import { localTable } from '../schema/topology.ts';
import type { RequireLease } from '../schema/values/maintenance-lease.ts';
import { ensureKeys } from '../store/secret-keys.ts';
import { type Announce, changeAddressVisibility } from './change-ip-addresses.ts';
import { storedDefinition, wantedTopology } from './cluster.ts';
import { createdNodesOf, migrateAlone } from './migrate-alone.ts';
import type { DatabaseSettings } from './open-database.ts';
import { agreedTimeZone } from './time-zone-setting.ts';

/** Returns the names of the changes. If `clusterName` is given, a new database is created on that cluster. */
export async function migrateServers(
  engine: Engine,
  settings: DatabaseSettings,
  clusterName: string | undefined,
  announce: Announce,
): Promise<readonly string[]> {
  const stored = await storedDefinition(engine);
  const topology = await wantedTopology(engine, stored, clusterName);
  const timeZone = agreedTimeZone(stored.timeZone, settings.timeZone);
  const servers = topology.cluster === undefined ? [engine] : engine.each();
  const nodes = { engine, servers, topology };
  await refuseInterruptedRestore(nodes);
  const visibility = await visibilityOn(servers, topology);
  const done = new Set<string>();
  const migrateEach = async (some: readonly Engine[], requireLease?: RequireLease) => {
    const options = { shown: visibility, requireLease };
    for (const server of some) {
      for (const name of await migrate(server, timeZone, topology, options)) done.add(name);
    }
  };
  const isDue = await Promise.all(
    servers.map((server) => isMigrationDue(server, timeZone, topology, visibility)),
  );
  const created = isDue.includes(true) ? await createdNodesOf(nodes) : undefined;
  if (created === undefined) {
    // No other process uses a database whose creation has not ended, and it has no table for a lease.
    await migrateEach(servers);
  } else {
    const isReplicated = topology.cluster?.isReplicated === true;
    // Without Keeper, a lease is written to every server, so new ones first get tables. They have no rows to copy.
    if (!isReplicated) await migrateEach(servers.filter((one) => !created.servers.includes(one)));
    const alone = isReplicated ? created : nodes;
    await migrateAlone(alone, async (requireLease) => await migrateEach(servers, requireLease));
  }
  // A new replica without the stored keys and the first publication would make this create others.
  const common = ['keys', 'publications'].map((table) => localTable(topology, table));
  await awaitReplication(nodes, common);
  await ensureKeys(engine);
  await ensureFirstPublication(engine);
  const change = { timeZone, wanted: settings.addresses, announce };
  for (const name of await changeAddressVisibility(nodes, change)) done.add(name);
  return [...done];
}
