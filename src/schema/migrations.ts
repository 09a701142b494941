/** Migrates the tables of a database to this version of the service. */

import * as v from 'valibot';
import { type AddressVisibility, FULL_ADDRESSES } from '../contract/record/address-visibility.ts';
import { ROLES } from '../contract/record/records.ts';
import type { Engine, Reader } from '../engine/engine.ts';
import { TABLE_OF } from '../plan/report-table.ts';
import { ANY_ROW, INTEGER, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { AFFILIATE_VIEW, affiliateViewSql } from './affiliate-view.ts';
import { changeTablesSql } from './change-tables.ts';
import { directoryTableSql } from './directory-table.ts';
import { erasureTablesSql } from './erasure-tables.ts';
import { partnershipsTableSql } from './partnership-table.ts';
import { syncProjections } from './projections.ts';
import { syncSchema } from './schema-sync.ts';
import { addDateIndexesSql, setRecordCodecSql, transactionTableSql } from './table-definitions.ts';
import {
  addTokenCreatorsSql,
  addTokenManagementSql,
  signInLinksTableSql,
  tokensTableSql,
} from './token-tables.ts';
import {
  distributedTableSql,
  localTable,
  ONE_SERVER,
  replacingEngine,
  SHARDED_BY,
  type Topology,
} from './topology.ts';
import { storedAddressVisibility } from './values/stored-address-visibility.ts';
import { webhooksTableSql } from './webhook-tables.ts';

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: (
    timeZone: string,
    topology: Topology,
    addresses: AddressVisibility,
  ) => readonly string[];
  /** Slow statements that adapt existing tables. New tables skip them: they have the present form already. */
  readonly changes?: (topology: Topology) => readonly string[];
}

/** The name of the migration that creates a database. */
export const CREATION = 'transactions, tokens and imports';

const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: CREATION,
    statements: (timeZone, topology, addresses) => [
      ...ROLES.map((role) =>
        transactionTableSql(
          role,
          localTable(topology, TABLE_OF[role]),
          timeZone,
          addresses,
          topology,
        ),
      ),
      affiliateViewSql(
        AFFILIATE_VIEW,
        localTable(topology, 'transactions'),
        localTable(topology, 'affiliate_transactions'),
        addresses,
      ),
      tokensTableSql(topology),
      `CREATE TABLE IF NOT EXISTS ${localTable(topology, 'imports')} (
  id String,
  state Enum8('publishing' = 1, 'done' = 2),
  at DateTime64(3, 'UTC')
) ENGINE = ${replacingEngine(topology, localTable(topology, 'imports'), 'at')} ORDER BY id
SETTINGS fsync_after_insert = 1`,
    ],
  },
  // Projections follow the table of fields without migrations (see projections.ts).
  { version: 2, name: 'records by website and by program', statements: () => [] },
  {
    version: 3,
    name: 'keys, and indexes of dates',
    statements: (_, topology) => [
      `CREATE TABLE IF NOT EXISTS ${localTable(topology, 'keys')} (
  name String,
  value String,
  precedence UInt64
) ENGINE = ${replacingEngine(topology, localTable(topology, 'keys'), 'precedence')} ORDER BY name
SETTINGS fsync_after_insert = 1`,
    ],
    changes: (topology) => [
      ...addDateIndexesSql(localTable(topology, 'transactions')),
      ...addDateIndexesSql(localTable(topology, 'affiliate_transactions')),
    ],
  },
  {
    version: 4,
    name: 'faster codec of records',
    statements: () => [],
    changes: (topology) => [
      setRecordCodecSql(localTable(topology, 'transactions')),
      setRecordCodecSql(localTable(topology, 'affiliate_transactions')),
    ],
  },
  // The columns follow the table of fields (see schema-sync.ts).
  { version: 5, name: 'what each role sees of IP addresses', statements: () => [] },
  {
    version: 6,
    name: 'audit log',
    statements: (_, topology) => [
      `CREATE TABLE IF NOT EXISTS ${localTable(topology, 'audit')} (
  at DateTime64(3, 'UTC'),
  id String,
  event LowCardinality(String),
  principal String,
  line String CODEC(ZSTD(3))
) ENGINE = ${replacingEngine(topology, localTable(topology, 'audit'), 'at')}
PARTITION BY toYYYYMM(at)
ORDER BY (at, id)
SETTINGS fsync_after_insert = 1`,
    ],
  },
  { version: 7, name: 'erasures of persons', statements: (_, on) => erasureTablesSql(on) },
  { version: 8, name: 'change feed', statements: (_, on) => changeTablesSql(on) },
  { version: 9, name: 'directory of names', statements: (_, on) => [directoryTableSql(on)] },
  {
    version: 10,
    name: 'partnerships of publishers and programs',
    statements: (_, on) => partnershipsTableSql(on),
  },
  {
    version: 11,
    name: 'tokens that manage tokens',
    statements: (_, on) => addTokenManagementSql(on),
  },
  { version: 12, name: 'webhooks', statements: (_, on) => webhooksTableSql(on) },
  { version: 13, name: 'sign-in links', statements: (_, on) => signInLinksTableSql(on) },
  { version: 14, name: 'creators of tokens', statements: (_, on) => addTokenCreatorsSql(on) },
];

const CREATE_MIGRATIONS = `CREATE TABLE IF NOT EXISTS migrations (
  version UInt32,
  name String,
  applied_at DateTime('UTC')
) ENGINE = MergeTree ORDER BY version`;

/**
 * Applies the missing migrations to one server, then adapts the columns of its tables to `FIELDS`.
 *
 * Returns the names of the changes. `shown` is what all servers of the database show of IP addresses; by default
 * it is read from this server.
 */
export async function migrate(
  engine: Engine,
  timeZone: string,
  topology: Topology = ONE_SERVER,
  shown?: AddressVisibility,
): Promise<readonly string[]> {
  const addresses = shown ?? (await addressVisibilityOrDefault(engine)).visibility;
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
    ...(await syncSchema(engine, timeZone, topology, addresses)),
    ...(await syncProjections(engine, timeZone, topology)),
  ];
  for (const [table, shardedBy] of Object.entries(SHARDED_BY)) {
    await executeAll(engine, distributedTableSql(topology, table, shardedBy));
  }
  return [...missing.map(({ name }) => name), ...synced.map((table) => `columns of ${table}`)];
}

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

/** The setting for IP addresses of a database that may have no tables yet. */
export async function addressVisibilityOrDefault(reader: Reader) {
  if (await hasTable(reader, 'keys')) return await storedAddressVisibility(reader);
  return { visibility: FULL_ADDRESSES, isPending: false };
}

async function hasTable(reader: Reader, name: string): Promise<boolean> {
  const text = `SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = '${name}'`;
  return (await reader.rows(select(ANY_ROW, plainStatement(text)))).length > 0;
}

/** The time zone of the database; undefined if it has no tables yet. */
export async function storedTimeZone(reader: Reader): Promise<string | undefined> {
  const type = plainStatement(`SELECT type FROM system.columns
WHERE database = currentDatabase() AND table = 'transactions' AND name = 'created_at'`);
  const rows = await reader.rows(select(v.object({ type: v.string() }), type));
  return /^DateTime\('(.+)'\)$/.exec(rows[0]?.type ?? '')?.[1];
}
