/** Brings a database's tables to the form that this version of the service needs. */

import type { Engine, Reader } from '../engine/engine.ts';
import { command } from '../plan/sql.ts';
import { alignCopies } from './projections.ts';
import { alignTables } from './schema-sync.ts';
import { addDateIndexes, createFeed, createTable, FEED, recode } from './table-definitions.ts';
import {
  type Layout,
  localTable,
  ONE_SERVER,
  replacingEngine,
  SHARDED_BY,
  spreadTable,
} from './topology.ts';

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: (timeZone: string, layout: Layout) => readonly string[];
}

const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'transactions, tokens and imports',
    statements: (timeZone, layout) => [
      createTable('admin', localTable(layout, 'transactions'), timeZone, layout),
      createTable('affiliate', localTable(layout, 'affiliate_transactions'), timeZone, layout),
      createFeed(
        FEED,
        localTable(layout, 'transactions'),
        localTable(layout, 'affiliate_transactions'),
      ),
      `CREATE TABLE IF NOT EXISTS ${localTable(layout, 'tokens')} (
  id String,
  hash String,
  role String,
  publisher_ids Array(UInt64),
  program_ids Array(UInt64),
  locale Nullable(String),
  name Nullable(String),
  created_at DateTime('UTC'),
  expires_at Nullable(DateTime('UTC')),
  revoked_at Nullable(DateTime('UTC')),
  revision UInt8
) ENGINE = ${replacingEngine(layout, localTable(layout, 'tokens'), 'revision')} ORDER BY hash
SETTINGS fsync_after_insert = 1`,
      `CREATE TABLE IF NOT EXISTS ${localTable(layout, 'imports')} (
  id String,
  state Enum8('publishing' = 1, 'done' = 2),
  at DateTime64(3, 'UTC')
) ENGINE = ${replacingEngine(layout, localTable(layout, 'imports'), 'at')} ORDER BY id
SETTINGS fsync_after_insert = 1`,
    ],
  },
  // The copies follow the table of fields by themselves (see copies.ts).
  { version: 2, name: 'records by website and by program', statements: () => [] },
  {
    version: 3,
    name: 'keys, and dates that are found without reading',
    statements: (_, layout) => [
      `CREATE TABLE IF NOT EXISTS ${localTable(layout, 'keys')} (
  name String,
  value String,
  precedence UInt64
) ENGINE = ${replacingEngine(layout, localTable(layout, 'keys'), 'precedence')} ORDER BY name
SETTINGS fsync_after_insert = 1`,
      ...addDateIndexes(localTable(layout, 'transactions')),
      ...addDateIndexes(localTable(layout, 'affiliate_transactions')),
    ],
  },
  {
    version: 4,
    name: 'records that are read in less time',
    statements: (_, layout) => [
      recode(localTable(layout, 'transactions')),
      recode(localTable(layout, 'affiliate_transactions')),
    ],
  },
];

const CREATE_MIGRATIONS = `CREATE TABLE IF NOT EXISTS migrations (
  version UInt32,
  name String,
  applied_at DateTime('UTC')
) ENGINE = MergeTree ORDER BY version`;

/**
 * Applies what is missing on one server, then follows the table of fields.
 *
 * Returns the names of what it did.
 */
export async function migrate(
  engine: Engine,
  timeZone: string,
  layout: Layout = ONE_SERVER,
): Promise<readonly string[]> {
  await engine.execute(command(CREATE_MIGRATIONS));
  const missing = await missingMigrations(engine);
  for (const { version, name, statements } of missing) {
    for (const text of statements(timeZone, layout)) await engine.execute(command(text));
    await engine.execute(
      command(`INSERT INTO migrations SELECT ${version}, '${name}', now('UTC')`),
    );
  }
  const aligned = [
    ...(await alignTables(engine, timeZone, layout)),
    ...(await alignCopies(engine, timeZone, layout)),
  ];
  for (const [table, shardedBy] of Object.entries(SHARDED_BY)) {
    for (const text of spreadTable(layout, table, shardedBy)) await engine.execute(command(text));
  }
  return [...missing.map(({ name }) => name), ...aligned.map((table) => `columns of ${table}`)];
}

/** The migrations that the database has not seen yet. */
export async function missingMigrations(reader: Reader): Promise<readonly Migration[]> {
  if (!(await hasTable(reader, 'migrations'))) return MIGRATIONS;
  const rows = (await reader.rows(command('SELECT version FROM migrations'))) as {
    version: number;
  }[];
  const applied = new Set(rows.map(({ version }) => version));
  return MIGRATIONS.filter(({ version }) => !applied.has(version));
}

async function hasTable(reader: Reader, name: string): Promise<boolean> {
  const rows = await reader.rows(
    command(`SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = '${name}'`),
  );
  return rows.length > 0;
}

/** The time zone that the database was created with, if it was. */
export async function storedTimeZone(reader: Reader): Promise<string | undefined> {
  const rows = (await reader.rows(
    command(`SELECT type FROM system.columns
WHERE database = currentDatabase() AND table = 'transactions' AND name = 'created_at'`),
  )) as { type: string }[];
  return /^DateTime\('(.+)'\)$/.exec(rows[0]?.type ?? '')?.[1];
}
