/** Brings a database's tables to the form that this version of the service needs. */

import { command } from '../plan/sql.ts';
import { alignTables } from './alignment.ts';
import type { Engine, Reader } from './engine.ts';
import { createFeed, createTable, FEED } from './schema.ts';

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: (timeZone: string) => readonly string[];
}

const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'transactions, tokens and imports',
    statements: (timeZone) => [
      createTable('admin', 'transactions', timeZone),
      createTable('affiliate', 'affiliate_transactions', timeZone),
      createFeed(FEED, 'transactions', 'affiliate_transactions'),
      `CREATE TABLE IF NOT EXISTS tokens (
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
) ENGINE = ReplacingMergeTree(revision) ORDER BY hash
SETTINGS fsync_after_insert = 1`,
      `CREATE TABLE IF NOT EXISTS imports (
  id String,
  state Enum8('publishing' = 1, 'done' = 2),
  at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(at) ORDER BY id
SETTINGS fsync_after_insert = 1`,
    ],
  },
];

const CREATE_MIGRATIONS = `CREATE TABLE IF NOT EXISTS migrations (
  version UInt32,
  name String,
  applied_at DateTime('UTC')
) ENGINE = MergeTree ORDER BY version`;

/** Applies what is missing, then follows the table of fields; returns the names of what it did. */
export async function migrate(engine: Engine, timeZone: string): Promise<readonly string[]> {
  await engine.execute(command(CREATE_MIGRATIONS));
  const missing = await missingMigrations(engine);
  for (const { version, name, statements } of missing) {
    for (const text of statements(timeZone)) await engine.execute(command(text));
    await engine.execute(
      command(`INSERT INTO migrations SELECT ${version}, '${name}', now('UTC')`),
    );
  }
  const aligned = await alignTables(engine, timeZone);
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
