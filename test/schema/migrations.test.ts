import { Temporal } from 'temporal-polyfill';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FULL_ADDRESSES } from '../../src/contract/record/address-visibility.ts';
import { readRetention } from '../../src/contract/record/retention.ts';
import { migrateServers } from '../../src/database/migrate-servers.ts';
import { retain } from '../../src/database/retain.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { eraseTransactions } from '../../src/erasure/erase-transactions.ts';
import { noteErasure } from '../../src/erasure/erasure-log.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import {
  isMigrationDue,
  migrate,
  missingMigrations,
  storedTimeZone,
} from '../../src/schema/migrations.ts';
import { PROJECTIONS } from '../../src/schema/projections.ts';
import { ONE_SERVER } from '../../src/schema/topology.ts';
import { endLease, leaseHolder } from '../../src/schema/values/maintenance-lease.ts';
import {
  storeAddressVisibility,
  storedAddressVisibility,
} from '../../src/schema/values/stored-address-visibility.ts';
import { storeOnAllServers } from '../../src/schema/values/stored-value.ts';
import { databaseTokens } from '../../src/store/database-tokens.ts';
import { ensureKeys } from '../../src/store/secret-keys.ts';
import { openMigratedEngine, type TestEngine } from '../support/databases/engine.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { IS_FULL } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';

const TIME_ZONE = 'Europe/Paris';

/** Tables in which a test of another migration may have left rows. */
const FILLED = [
  'transactions',
  'affiliate_transactions',
  ...PROJECTIONS.map(({ table }) => table),
  ...['partnerships', 'tokens', 'sign_in_links'],
];

let isOpen = false;
let database: TestEngine;

beforeEach(async () => {
  if (!isOpen) database = await openMigratedEngine(TIME_ZONE);
  for (const table of isOpen ? FILLED : []) await database.run(`TRUNCATE TABLE ${table}`);
  isOpen = true;
  await database.run(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, subid, remu_publisher, created_at, updated_at)
SELECT 'sales', number, 1, 1, 1, 2, 'campaign', 1.5, toDateTime(1800000000), toDateTime(1800000000) FROM numbers(3)`);
});

// In `npm test`, all tests use one database, because each of them migrates it completely.
afterEach(async () => {
  if (IS_FULL) await closeDatabase();
});

afterAll(async () => {
  if (isOpen) await closeDatabase();
});

async function closeDatabase(): Promise<void> {
  isOpen = false;
  await database.close();
}

const affiliateRecords = async () => {
  const rows = await database.rows<{ record: string }>(
    `SELECT concat(record_head, 'x', record_tail) AS record FROM affiliate_transactions FINAL ORDER BY transaction_id`,
  );
  return rows.map(({ record }) => JSON.parse(record) as Record<string, unknown>);
};

const fingerprintOf = async (table: string) => {
  const [sums] = await database.rows<{ added: string; crossed: string }>(
    `SELECT toString(sum(record_hash)) AS added, toString(groupBitXor(record_hash)) AS crossed FROM ${table} FINAL`,
  );
  return sums;
};

test('a migrated database is not changed, and keeps its time zone', async () => {
  expect(await migrate(database.engine, TIME_ZONE)).toEqual([]);
  expect(await missingMigrations(database.engine)).toEqual([]);
  expect(await storedTimeZone(database.engine)).toBe(TIME_ZONE);
});

test('an interrupted change is completed', async () => {
  const isCurrent = "startsWith(record_head, '{\"')";
  const current = async (table: string) =>
    (
      await database.rows<{ rows: string }>(
        `SELECT toString(countIf(${isCurrent})) AS rows FROM ${table} FINAL`,
      )
    )[0]?.rows;
  for (const table of ['transactions', 'affiliate_transactions']) {
    const [column] = await database.rows<{ definition: string }>(
      `SELECT default_expression AS definition FROM system.columns
WHERE database = currentDatabase() AND table = '${table}' AND name = 'record_head'`,
    );
    // Simulates a migration that has changed the column, and was interrupted before it changed the rows.
    for (const definition of ["'old'", column?.definition]) {
      await database.run(
        `ALTER TABLE ${table} MODIFY COLUMN record_head String MATERIALIZED ${definition} CODEC(LZ4)`,
      );
      if (definition !== "'old'") continue;
      await database.run(
        `ALTER TABLE ${table} MATERIALIZE COLUMN record_head SETTINGS mutations_sync = 2`,
      );
    }
    await database.run(`ALTER TABLE ${table} MODIFY COMMENT 'unfinished'`);
    expect(await current(table)).toBe('0');
  }
  const tables = ['transactions', 'affiliate_transactions'];
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(
    tables.map((table) => `columns of ${table}`),
  );
  expect(await Promise.all(tables.map(current))).toEqual(['3', '3']);
  expect(await migrate(database.engine, TIME_ZONE)).toEqual([]);
});

test('a table that a migration of another version has left half built is dropped', async () => {
  const left = 'transactions_by_program_0badc0de';
  const isDue = async () =>
    await isMigrationDue(database.engine, TIME_ZONE, ONE_SERVER, FULL_ADDRESSES);
  expect(await isDue()).toBe(false);
  await database.run(`CREATE TABLE ${left} AS transactions_by_program`);
  expect(await isDue()).toBe(true);
  expect(await migrate(database.engine, TIME_ZONE)).toEqual([]);
  expect(await database.rows(`SELECT 1 FROM system.tables WHERE name = '${left}'`)).toEqual([]);
  expect(await isDue()).toBe(false);
});

test('a missing field is added, and existing rows are rendered and hashed again', async () => {
  const before = await fingerprintOf('transactions');
  await database.run(
    `ALTER TABLE transactions MODIFY COLUMN record_head String MATERIALIZED '{"old":"' CODEC(ZSTD(1))`,
  );
  for (const column of ['record_head', 'record_hash']) {
    await database.run(
      `ALTER TABLE transactions MATERIALIZE COLUMN ${column} SETTINGS mutations_sync = 2`,
    );
  }
  expect(await fingerprintOf('transactions')).not.toEqual(before);
  await database.run('ALTER TABLE transactions DROP COLUMN coupon');
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['columns of transactions']);
  expect(await fingerprintOf('transactions')).toEqual(before);
  const [row] = await database.rows<{ record: string }>(
    "SELECT concat(record_head, 'x', record_tail) AS record FROM transactions FINAL LIMIT 1",
  );
  expect(JSON.parse(row?.record ?? '')).toMatchObject({ subid: 'campaign', coupon: null });
});

test('a field that affiliates may see from now on is filled in existing rows and later ones', async () => {
  await database.run('DROP VIEW affiliate_transactions_feed SYNC');
  await database.run(
    `ALTER TABLE affiliate_transactions MODIFY COLUMN record_head String MATERIALIZED '{"old":"' CODEC(ZSTD(1))`,
  );
  await database.run('ALTER TABLE affiliate_transactions DROP COLUMN subid');
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['columns of affiliate_transactions']);
  const records = await affiliateRecords();
  expect(records).toHaveLength(3);
  expect(records[0]).toMatchObject({ subid: 'campaign', remuneration: 1.5, status_label: 'x' });
  await database.run(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, subid, created_at, updated_at)
SELECT 'sales', 10, 1, 1, 1, 2, 'later', toDateTime(1800000000), toDateTime(1800000000)`);
  expect((await affiliateRecords()).at(-1)).toMatchObject({ transaction_id: 10, subid: 'later' });
});

test("the view that fills the affiliates' table gets the columns that another replica has added", async () => {
  const view = 'affiliate_transactions_feed';
  const [stored] = await database.rows<{ filling: string }>(
    `SELECT as_select AS filling FROM system.tables WHERE name = '${view}'`,
  );
  const filling = stored?.filling.replace(' subid,', '');
  expect(filling).not.toBe(stored?.filling);
  await database.run(`DROP VIEW ${view} SYNC`);
  await database.run(`CREATE MATERIALIZED VIEW ${view} TO affiliate_transactions AS ${filling}`);
  await database.run("ALTER TABLE affiliate_transactions MODIFY COMMENT 'earlier'");
  expect(await migrate(database.engine, TIME_ZONE)).toEqual([]);
  await database.run(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, subid, created_at, updated_at)
SELECT 'sales', 10, 1, 1, 1, 2, 'later', toDateTime(1800000000), toDateTime(1800000000)`);
  expect((await affiliateRecords()).at(-1)).toMatchObject({ transaction_id: 10, subid: 'later' });
});

// Only in the full run. In `npm test`, the test above adds such a field.
testInFull(
  'a field that affiliates may see from now on has the newest version, in whatever order versions are read',
  async () => {
    await database.run('SYSTEM STOP MERGES transactions');
    await database.run(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, subid, created_at, updated_at)
SELECT 'sales', number, 1, 1, 1, 2, 'newest', toDateTime(1800000000), toDateTime(1800000000) FROM numbers(3)`);
    await database.run('DROP VIEW affiliate_transactions_feed SYNC');
    await database.run(
      `ALTER TABLE affiliate_transactions MODIFY COLUMN record_head String MATERIALIZED '{"old":"' CODEC(ZSTD(1))`,
    );
    await database.run('ALTER TABLE affiliate_transactions DROP COLUMN subid');
    // The engine reads parts in parallel, so it may read the newest part first.
    const engine = watchedEngine(database.engine, async (server, statement, watch) => {
      const isRefill = statement.text.startsWith('INSERT INTO affiliate_transactions ');
      const text = isRefill
        ? statement.text.replace(/ FROM transactions\b( FINAL)?/, '$& ORDER BY _part DESC')
        : statement.text;
      expect(text !== statement.text).toBe(isRefill);
      await server.execute({ ...statement, text }, watch);
    });
    expect(await migrate(engine, TIME_ZONE)).toEqual(['columns of affiliate_transactions']);
    const subids = (await affiliateRecords()).map(({ subid }) => subid);
    expect(subids).toEqual(['newest', 'newest', 'newest']);
  },
);

describe('on a server', () => {
  /** What processes that want to change rows are told before the rows of a migration become visible. */
  const refusals: unknown[] = [];

  async function migrateServer() {
    const engine = watchedEngine(
      database.engine,
      async (server, statement, watch) => {
        if (statement.text.startsWith('DROP VIEW IF EXISTS transactions_by_publisher_feed'))
          refusals.push(...(await changeRows(engine)));
        await server.execute(statement, watch);
      },
      { isShared: true },
    );
    const settings = { url: 'clickhouse://server/database', timeZone: undefined };
    return await migrateServers(engine, settings, undefined, () => undefined);
  }

  async function changeRows(engine: Engine): Promise<readonly unknown[]> {
    const nodes = await clusterNodesOf(engine, ONE_SERVER);
    const retention = readRetention('*=1 month');
    const today = Temporal.PlainDate.from('2030-01-01');
    const selectors = [{ field: 'subid', values: ['campaign'] }] as const;
    const changes = [
      retain(nodes, TIME_ZONE, { retention, isDryRun: false }, {}, today),
      eraseTransactions(nodes, { selectors, mode: 'remove' }, true),
    ];
    return (await Promise.allSettled(changes)).map((change) => 'reason' in change && change.reason);
  }

  beforeEach(async () => {
    refusals.length = 0;
    await ensureKeys(database.engine);
    await database.run("ALTER TABLE transactions_by_publisher MODIFY COMMENT 'earlier'");
  });

  test('nothing is removed or erased while tables are filled again, because it would come back', async () => {
    expect(await migrateServer()).toEqual(['columns of transactions_by_publisher']);
    expect(refusals.map(String)).toEqual([
      expect.stringContaining('another process is removing rows'),
      expect.stringContaining('the database is being migrated'),
    ]);
    const nodes = await clusterNodesOf(database.engine, ONE_SERVER);
    expect(await leaseHolder(nodes)).toBeUndefined();
  });

  test('nothing is migrated while another process changes rows', async () => {
    const nodes = await clusterNodesOf(database.engine, ONE_SERVER);
    const until = Date.now() / 1000 + 60;
    await storeOnAllServers(nodes, 'maintenance', { holder: 'other', until });
    await expect(migrateServer()).rejects.toThrow('Another process is migrating the database');
    await endLease(nodes, 'other');
    await noteErasure(nodes, { id: 'ab', mode: 'remove' }, 'erasing');
    await expect(migrateServer()).rejects.toThrow('An erasure has not ended.');
    await noteErasure(nodes, { id: 'ab', mode: 'remove' }, 'done');
    expect(await migrateServer()).toEqual(['columns of transactions_by_publisher']);
  });

  test('an interrupted change of IP_ADDRESSES is finished before an interrupted erasure, which it refuses', async () => {
    const nodes = await clusterNodesOf(database.engine, ONE_SERVER);
    await database.run(
      `INSERT INTO erasures SELECT 'cd', 'remove', 'erasing', now64(3, 'UTC') - INTERVAL 1 HOUR`,
    );
    await storeAddressVisibility(nodes, { visibility: FULL_ADDRESSES, isPending: true });
    expect(await migrateServer()).toContain('columns of transactions_by_publisher');
    expect((await storedAddressVisibility(database.engine)).isPending).toBe(false);
    await noteErasure(nodes, { id: 'cd', mode: 'remove' }, 'done');
  });
});

const TABLES = ['transactions', 'affiliate_transactions'] as const;

test('a database without hashes gets the hash of each row, stored and without duplicates', async () => {
  const before = await Promise.all(TABLES.map(fingerprintOf));
  for (const { table } of PROJECTIONS) {
    await database.run(`DROP VIEW ${table}_feed SYNC`);
    await database.run(`DROP TABLE ${table} SYNC`);
  }
  for (const table of TABLES) {
    await database.run(`ALTER TABLE ${table} DROP COLUMN record_hash SETTINGS mutations_sync = 2`);
  }
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(
    TABLES.map((table) => `columns of ${table}`),
  );
  expect(await Promise.all(TABLES.map(fingerprintOf))).toEqual(before);
  const stored = await database.rows<{ parts: number; kept: number }>(
    `SELECT uniqExact(table, name) AS parts, uniqExactIf((table, name), column = 'record_hash') AS kept
FROM system.parts_columns WHERE active AND table IN ('transactions', 'affiliate_transactions')`,
  );
  expect(stored[0]?.kept).toBe(stored[0]?.parts);
  const [copied] = await database.rows<{ rows: number }>(
    'SELECT count() AS rows FROM affiliate_transactions',
  );
  expect(Number(copied?.rows)).toBe(3);
  for (const { table } of PROJECTIONS) expect(await fingerprintOf(table)).toEqual(before[0]);
});

test('a database of an earlier version writes new records with the new codec, and keeps existing records', async () => {
  const codecs = async () =>
    await database.rows<{ codec: string }>(
      `SELECT DISTINCT compression_codec AS codec FROM system.columns
WHERE table IN ('transactions', 'affiliate_transactions') AND name IN ('record_head', 'record_tail')`,
    );
  const wanted = await codecs();
  const before = await Promise.all(TABLES.map(fingerprintOf));
  for (const table of TABLES) {
    for (const column of ['record_head', 'record_tail']) {
      await database.run(`ALTER TABLE ${table} MODIFY COLUMN ${column} CODEC(ZSTD(1))`);
    }
  }
  expect(await codecs()).not.toEqual(wanted);
  await database.run('ALTER TABLE migrations DELETE WHERE version = 4 SETTINGS mutations_sync = 2');
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['faster codec of records']);
  expect(await codecs()).toEqual(wanted);
  expect(await Promise.all(TABLES.map(fingerprintOf))).toEqual(before);
});

test('a database of an earlier version gets the indexes of dates', async () => {
  const indexes = async () =>
    await database.rows<{ table: string; name: string; expr: string; granularity: string }>(
      `SELECT table, name, expr, toString(granularity) AS granularity FROM system.data_skipping_indices
WHERE database = currentDatabase() AND table IN ('transactions', 'affiliate_transactions') ORDER BY table, name`,
    );
  const wanted = await indexes();
  for (const table of TABLES) {
    for (const name of ['updated_ats', 'validation_dates'])
      await database.run(`ALTER TABLE ${table} DROP INDEX ${name}`);
  }
  expect((await indexes()).length).toBe(wanted.length - 4);
  await database.run('ALTER TABLE migrations DELETE WHERE version = 3 SETTINGS mutations_sync = 2');
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['keys, and indexes of dates']);
  expect(await indexes()).toEqual(wanted);
});

/** What later versions added: the names of their migrations, and their tables. */
const ADDED = [
  { version: 6, name: 'audit log', tables: ['audit'] },
  { version: 7, name: 'erasures of persons', tables: ['erasures', 'erased'] },
  { version: 9, name: 'directory of names', tables: ['directory'] },
  { version: 10, name: 'partnerships of publishers and programs', tables: ['partnerships'] },
  { version: 11, name: 'tokens that manage tokens', tables: [] },
  { version: 12, name: 'webhooks', tables: ['webhooks', 'webhook_progress'] },
  { version: 13, name: 'sign-in links', tables: ['sign_in_links', 'sign_in_claims'] },
  { version: 14, name: 'creators of tokens', tables: [] },
];

test('a database of an earlier version gets all that later ones added, and keeps its tokens', async () => {
  const pairs = 'publisher_id, program_id';
  const tables = ADDED.flatMap((added) => added.tables);
  for (const table of tables) await database.run(`DROP TABLE ${table} SYNC`);
  for (const column of ['may_manage_tokens', 'created_by']) {
    await database.run(`ALTER TABLE tokens DROP COLUMN ${column}`);
  }
  await database.run(
    `INSERT INTO tokens (id, hash, role, publisher_ids, program_ids, created_at, revision)
SELECT 'old', 'hash', 'admin', [], [], now(), 1`,
  );
  const versions = ADDED.map(({ version }) => version);
  await database.run(`DELETE FROM migrations WHERE version IN (${versions})`);
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(ADDED.map(({ name }) => name));
  for (const table of tables.filter((name) => name !== 'partnerships')) {
    expect(await database.rows(`SELECT * FROM ${table}`)).toEqual([]);
  }
  const partnerships = `SELECT ${pairs} FROM partnerships FINAL ORDER BY ${pairs}`;
  const ofTransactions = `SELECT DISTINCT ${pairs} FROM transactions ORDER BY ${pairs}`;
  expect(await database.rows(partnerships)).toEqual(await database.rows(ofTransactions));
  expect(await database.rows(partnerships)).not.toEqual([]);
  const tokens = databaseTokens({ ...database, topology: ONE_SERVER });
  const rights = { role: 'admin', publisherIds: [], programIds: [] } as const;
  await tokens.createToken({ ...rights, mayManageTokens: true, createdBy: 'manager' });
  expect(await tokens.revokeToken('old')).toBe(true);
  const listed = (await tokens.listTokens()).map(({ id, mayManageTokens, createdBy }) => [
    id === 'old',
    mayManageTokens,
    createdBy,
  ]);
  expect(listed.sort()).toEqual([
    [false, true, 'manager'],
    [true, false, undefined],
  ]);
});

test('sign-in links from before the migration have no creator', async () => {
  await database.run('ALTER TABLE sign_in_links DROP COLUMN created_by');
  await database.run(`INSERT INTO sign_in_links (id, hash, role, publisher_ids, created_at, link_expires_at)
SELECT 'link', 'more', 'affiliate', [345], now(), now() + 900`);
  await database.run('DELETE FROM migrations WHERE version = 14');
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['creators of tokens']);
  const tokens = databaseTokens({ ...database, topology: ONE_SERVER });
  const creators = (await tokens.listTokens()).map(({ id, createdBy }) => [id, createdBy]);
  expect(creators).toEqual([['link', undefined]]);
});
