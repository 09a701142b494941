/** Opens a database: checks its tables and settings, and finishes what was interrupted in an embedded one. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { refuseInterruptedRestore } from '../backup/interrupted-restore.ts';
import type { AddressVisibility } from '../contract/record/address-visibility.ts';
import { clearTemporary, removePaths, temporaryPrefix } from '../disk/temporary-directories.ts';
import { openChdb } from '../engine/chdb/open-chdb.ts';
import { openClickHouse } from '../engine/clickhouse/open-clickhouse.ts';
import { type Engine, isUnanswered } from '../engine/engine.ts';
import { recoverEmbedded } from '../ingest/staging/recover-others.ts';
import { answeringServers, clusterNodesOf } from '../schema/cluster-nodes.ts';
import { missingMigrations, storedTimeZone } from '../schema/migrations.ts';
import { ONE_SERVER, storedTopology, type Topology } from '../schema/topology.ts';
import type { StoredAddressVisibility } from '../schema/values/stored-address-visibility.ts';
import { ensureKeys, type SecretKeys, storedKeys } from '../store/secret-keys.ts';
import { UserError } from '../user-error.ts';
import { requireNamedServers } from './cluster.ts';
import { completeErasures } from './complete-erasures.ts';
import { readDatabaseUrl } from './database-url.ts';
import { reconcileAddressVisibility } from './ip-address-setting.ts';
import { migrateEmbedded } from './migrate-embedded.ts';
import { denyOtherUsers } from './private-directory.ts';
import { agreedTimeZone, useZoneRules } from './time-zone-setting.ts';

export interface Database {
  readonly engine: Engine;
  /** The platform's time zone, fixed when the database was created. */
  readonly timeZone: string;
  /** What each role sees of IP addresses. */
  readonly addresses: StoredAddressVisibility;
  readonly topology: Topology;
  /** The secrets that sign cursors and hash values in the audit log. */
  readonly keys: SecretKeys;
  /** For temporary files of imports. */
  readonly workDirectory: string;
  /** The directory of an embedded database. */
  readonly directory: string | undefined;
  /** Days for which changes are kept; 0 for ever. */
  readonly changesRetention: number;
  /** Addresses and ranges that webhooks may be delivered to, in addition to public addresses. */
  readonly webhookNetworks: readonly string[];
}

export interface DatabaseSettings {
  readonly url: string;
  /** The password of a server, if the URL has none. */
  readonly password?: string | undefined;
  /** The time zone of a new database; an existing one must have the same. */
  readonly timeZone: string | undefined;
  /** What each role sees of IP addresses; an existing database must have the same. */
  readonly addresses?: AddressVisibility | undefined;
  /** Days for which changes are kept; 0 for ever. */
  readonly changesRetention?: number | undefined;
  /** Addresses and ranges that webhooks may be delivered to, in addition to public addresses. */
  readonly webhookNetworks?: readonly string[] | undefined;
}

/** Days for which changes are kept if no setting says so. */
const CHANGES_RETENTION = 90;

/** The control socket of the process that has opened an embedded database. */
export const socketPath = (directory: string): string => join(directory, 'operator.sock');

/** The directory for temporary files of imports into an embedded database. */
export const workDirectory = (directory: string): string => join(directory, 'incoming');

/** The directory in which the service of an embedded database creates files before it sends them. */
export const exportDirectory = (directory: string): string => join(directory, 'outgoing');

/** Whether there is an embedded database in a directory. */
export const isDatabase = (directory: string): boolean => existsSync(join(directory, 'metadata'));

/** Opens a database; an embedded one is created and migrated if necessary. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const address = readDatabaseUrl(settings.url, settings.password);
  if (address.kind === 'chdb') {
    const opened = await openEmbedded(address.directory, async () => settings, false);
    return withSettings(opened, settings);
  }
  const engine = await openClickHouse(address.servers);
  return withSettings(await openServers(engine, settings, false), settings);
}

type OpenedDatabase = Omit<Database, 'changesRetention' | 'webhookNetworks'>;

const withSettings = (
  database: OpenedDatabase,
  { changesRetention = CHANGES_RETENTION, webhookNetworks = [] }: DatabaseSettings,
): Database => ({ ...database, changesRetention, webhookNetworks });

/** Settings that a database stores. The time zone is fixed, and `migrate` changes what is shown of IP addresses. */
export type FixedSettings = Pick<DatabaseSettings, 'timeZone' | 'addresses'>;

/**
 * Opens a database to restore into, even after an interrupted restore.
 *
 * `wantedOf` returns the settings that an embedded database gets, or must have if it is not new.
 */
export async function openForRestore(
  settings: DatabaseSettings,
  wantedOf: (engine: Engine) => Promise<FixedSettings>,
): Promise<OpenedDatabase> {
  const address = readDatabaseUrl(settings.url, settings.password);
  if (address.kind === 'chdb') return await openEmbedded(address.directory, wantedOf, true);
  return await openServers(await openClickHouse(address.servers), settings, true);
}

async function openEmbedded(
  directory: string,
  wantedOf: (engine: Engine) => Promise<FixedSettings>,
  isForRestore: boolean,
): Promise<OpenedDatabase> {
  await denyOtherUsers(directory, isDatabase(directory));
  const engine = await openChdb(directory, socketPath(directory));
  return await closeOnFailure(engine, async () => {
    // First, because the steps below may need the disk space of files that a killed process left.
    const work = workDirectory(directory);
    await removePaths([work, exportDirectory(directory)]);
    const wanted = await wantedOf(engine);
    const timeZone = agreedTimeZone(await storedTimeZone(engine), wanted.timeZone);
    await useZoneRules(engine, timeZone);
    const nodes = await clusterNodesOf(engine, ONE_SERVER);
    if (!isForRestore) await refuseInterruptedRestore(nodes);
    await migrateEmbedded(nodes, timeZone);
    await recoverEmbedded(nodes);
    const addresses = await reconcileAddressVisibility(nodes, timeZone, wanted.addresses);
    // While a change of IP_ADDRESSES is pending, nothing is served, so erasures can wait.
    if (!addresses.isPending) await completeErasures(nodes, directory);
    const keys = await ensureKeys(engine);
    const topology = ONE_SERVER;
    return { engine, timeZone, addresses, topology, keys, workDirectory: work, directory };
  });
}

async function openServers(
  engine: Engine,
  settings: DatabaseSettings,
  isForRestore: boolean,
): Promise<OpenedDatabase> {
  return await closeOnFailure(engine, async () => {
    const missing = await missingMigrations(engine).catch((cause: unknown) => {
      throw unreachableServers(cause);
    });
    const topology = await storedTopology(engine);
    const isComplete = missing.length === 0 && topology !== undefined;
    const keys = isComplete ? await storedKeys(engine) : undefined;
    if (!isComplete || keys === undefined)
      throw new UserError(
        'The database on the server does not have all tables that this version needs.',
        'Create them, as a user with the necessary rights: transactions migrate',
      );
    const timeZone = agreedTimeZone(await storedTimeZone(engine), settings.timeZone);
    await useZoneRules(engine, timeZone);
    await clearTemporary('incoming');
    const work = `${temporaryPrefix('incoming')}${randomUUID()}`;
    if (topology.cluster !== undefined) await requireNamedServers(engine, topology.cluster);
    const nodes = { engine, servers: [], topology };
    // Only some servers have the mark of a restore. One that is down must not keep the service from starting.
    const servers = topology.cluster === undefined ? [engine] : await answeringServers(engine);
    if (!isForRestore) await refuseInterruptedRestore({ ...nodes, servers });
    const addresses = await reconcileAddressVisibility(nodes, timeZone, settings.addresses);
    const directory = undefined;
    return { engine, timeZone, addresses, topology, keys, workDirectory: work, directory };
  });
}

async function closeOnFailure<Result>(
  engine: Engine,
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    await engine.close();
    throw error;
  }
}

export function unreachableServers(cause: unknown): unknown {
  if (!isUnanswered(cause)) return cause;
  return new UserError(
    `No server of the database answers: ${cause.message}`,
    'See which address is used: transactions check',
    { cause },
  );
}
