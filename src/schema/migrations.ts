/** Migrates the tables of a database to this version of the service. */

import * as v from 'valibot';
import { type AddressVisibility, FULL_ADDRESSES } from '../contract/record/address-visibility.ts';
import type { Engine, Reader } from '../engine/engine.ts';
import { TABLE_OF } from '../plan/report-table.ts';
import { ANY_ROW, INTEGER, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { MIGRATIONS, type Migration } from './migration-table.ts';
import { areProjectionsOutdated, syncProjections } from './projections.ts';
import { isSchemaOutdated, syncSchema } from './schema-sync.ts';
import {
  distributedTableSql,
  localTable,
  ONE_SERVER,
  SHARDED_BY,
  type Topology,
} from './topology.ts';
import type { RequireLease } from './values/maintenance-lease.ts';
import { STORED_ADDRESS_VISIBILITY } from './values/stored-address-visibility.ts';
import { numberedValue } from './values/stored-value.ts';

const CREATE_MIGRATIONS = `CREATE TABLE IF NOT EXISTS migrations (
  version UInt32,
  name String,
  applied_at DateTime('UTC')
) ENGINE = MergeTree ORDER BY version`;

interface MigrationOptions {
  /** What all servers of the database show of IP addresses; by default it is read from this server. */
  readonly shown?: AddressVisibility;
  /** Called before copied rows become visible. Throws if other processes may have removed rows since they were read. */
  readonly requireLease?: RequireLease | undefined;
}

/**
 * Applies the missing migrations to one server, then adapts the columns of its tables to `FIELDS`.
 *
 * Returns the names of the changes.
 */
export async function migrate(
  engine: Engine,
  timeZone: string,
  topology: Topology = ONE_SERVER,
  { shown, requireLease }: MigrationOptions = {},
): Promise<readonly string[]> {
  const addresses = shown ?? (await visibilityOn([engine], topology));
  const isNew = !(await hasTable(engine, localTable(topology, TABLE_OF.admin)));
  await engine.execute(plainStatement(CREATE_MIGRATIONS));
  const missing = await missingMigrations(engine);
  for (const { version, name, statements, changes } of missing) {
    const changed = isNew ? [] : (changes?.(topology) ?? []);
    await executeAll(engine, [
      ...statements(timeZone, topology, addresses),
      ...changed,
      `INSERT INTO migrations SELECT ${version}, '${name}', now('UTC')`,
    ]);
  }
  const synced = [
    ...(await syncSchema(engine, { timeZone, topology, addresses, requireLease })),
    ...(await syncProjections(engine, timeZone, topology, requireLease)),
  ];
  for (const [table, shardedBy] of Object.entries(SHARDED_BY)) {
    await executeAll(engine, distributedTableSql(topology, table, shardedBy));
  }
  return [...missing.map(({ name }) => name), ...synced.map((table) => `columns of ${table}`)];
}

/** Whether `migrate` would change a server that has tables. */
export const isMigrationDue = async (
  server: Engine,
  timeZone: string,
  topology: Topology,
  addresses: AddressVisibility,
): Promise<boolean> =>
  (await missingMigrations(server)).length > 0 ||
  (await isSchemaOutdated(server, timeZone, topology, addresses)) ||
  (await areProjectionsOutdated(server, timeZone, topology));

async function executeAll(engine: Engine, texts: readonly string[]): Promise<void> {
  for (const text of texts) await engine.execute(plainStatement(text));
}

/** The migrations that were not applied yet. */
export async function missingMigrations(reader: Reader): Promise<readonly Migration[]> {
  if (!(await hasTable(reader, 'migrations'))) return MIGRATIONS;
  const applies = plainStatement('SELECT version FROM migrations');
  const rows = await reader.rows(select(v.object({ version: INTEGER }), applies));
  const applied = new Set(rows.map(({ version }) => version));
  return MIGRATIONS.filter(({ version }) => !applied.has(version));
}

/**
 * What a database shows of IP addresses; all of them if it is new. Servers may lack tables, so each is asked for its
 * own part of the stored values, and the newest one counts.
 */
export async function visibilityOn(
  servers: readonly Reader[],
  topology: Topology,
): Promise<AddressVisibility> {
  const keys = localTable(topology, 'keys');
  const found = await Promise.all(
    servers.map(async (server) =>
      (await hasTable(server, keys))
        ? await numberedValue(server, 'ip_addresses', STORED_ADDRESS_VISIBILITY, keys)
        : undefined,
    ),
  );
  const newest = found.reduce((one, other) =>
    (other?.precedence ?? 0) > (one?.precedence ?? 0) ? other : one,
  );
  return newest?.value.visibility ?? FULL_ADDRESSES;
}

async function hasTable(reader: Reader, name: string): Promise<boolean> {
  const text = `SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = '${name}'`;
  return (await reader.rows(select(ANY_ROW, plainStatement(text)))).length > 0;
}

/** The time zone of a database, also of one whose creation was interrupted; undefined if it has no tables yet. */
export async function storedTimeZone(reader: Reader): Promise<string | undefined> {
  const type = plainStatement(`SELECT type FROM system.columns
WHERE database = currentDatabase() AND table IN ('transactions', 'transactions_local') AND name = 'created_at'`);
  const rows = await reader.rows(select(v.object({ type: v.string() }), type));
  return /^DateTime\('(.+)'\)$/.exec(rows[0]?.type ?? '')?.[1];
}
