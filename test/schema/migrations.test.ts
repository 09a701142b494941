import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, missingMigrations, storedTimeZone } from '../../src/schema/migrations.ts';
import { PROJECTIONS } from '../../src/schema/projections.ts';
import { ONE_SERVER } from '../../src/schema/topology.ts';
import { databaseTokens } from '../../src/store/database-tokens.ts';
import { openMigratedEngine, type TestEngine } from '../support/databases/engine.ts';

const TIME_ZONE = 'Europe/Paris';

let database: TestEngine;

beforeEach(async () => {
  database = await openMigratedEngine(TIME_ZONE);
  await database.run(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, subid, remu_publisher, created_at, updated_at)
SELECT 'sales', number, 1, 1, 1, 2, 'campaign', 1.5, toDateTime(1800000000), toDateTime(1800000000) FROM numbers(3)`);
});

afterEach(async () => await database.close());

const affiliateRecords = async () => {
  const rows = await database.rows<{ record: string }>(
    `SELECT concat(record_head, 'x', record_tail) AS record FROM affiliate_transactions FINAL ORDER BY transaction_id`,
  );
  return rows.map(({ record }) => JSON.parse(record) as Record<string, unknown>);
};

test('a migrated database is not changed', async () => {
  expect(await migrate(database.engine, TIME_ZONE)).toEqual([]);
  expect(await missingMigrations(database.engine)).toEqual([]);
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
    // As if it had been interrupted after the column was changed, and before its rows were.
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

test('the time zone is stored in the database', async () => {
  expect(await storedTimeZone(database.engine)).toBe(TIME_ZONE);
});

test('a missing field is added and rendered in existing rows', async () => {
  await database.run(
    `ALTER TABLE transactions MODIFY COLUMN record_head String MATERIALIZED '{"old":"' CODEC(ZSTD(1))`,
  );
  await database.run('ALTER TABLE transactions DROP COLUMN coupon');
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['columns of transactions']);
  const [row] = await database.rows<{ record: string }>(
    "SELECT concat(record_head, 'x', record_tail) AS record FROM transactions FINAL LIMIT 1",
  );
  expect(JSON.parse(row?.record ?? '')).toMatchObject({ subid: 'campaign', coupon: null });
});

test('a field that affiliates may see from now on is filled in existing rows', async () => {
  await database.run('DROP VIEW affiliate_transactions_feed SYNC');
  await database.run(
    `ALTER TABLE affiliate_transactions MODIFY COLUMN record_head String MATERIALIZED '{"old":"' CODEC(ZSTD(1))`,
  );
  await database.run('ALTER TABLE affiliate_transactions DROP COLUMN subid');
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['columns of affiliate_transactions']);
  const records = await affiliateRecords();
  expect(records).toHaveLength(3);
  expect(records[0]).toMatchObject({ subid: 'campaign', remuneration: 1.5, status_label: 'x' });
});

test('rows that are imported after a schema change reach the affiliates', async () => {
  await database.run('DROP VIEW affiliate_transactions_feed SYNC');
  await database.run(
    `ALTER TABLE affiliate_transactions MODIFY COLUMN record_head String MATERIALIZED '{"old":"' CODEC(ZSTD(1))`,
  );
  await migrate(database.engine, TIME_ZONE);
  await database.run(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, created_at, updated_at)
SELECT 'sales', 10, 1, 1, 1, 2, toDateTime(1800000000), toDateTime(1800000000)`);
  expect((await affiliateRecords()).map(({ transaction_id }) => transaction_id)).toEqual([
    0, 1, 2, 10,
  ]);
});

const fingerprintOf = async (table: string) => {
  const [sums] = await database.rows<{ added: string; crossed: string }>(
    `SELECT toString(sum(record_hash)) AS added, toString(groupBitXor(record_hash)) AS crossed FROM ${table} FINAL`,
  );
  return sums;
};

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

test('a record that is rendered again is hashed again', async () => {
  const before = await fingerprintOf('transactions');
  await database.run(
    `ALTER TABLE transactions MODIFY COLUMN record_head String MATERIALIZED '{"old":"' CODEC(ZSTD(1))`,
  );
  await database.run(
    'ALTER TABLE transactions MATERIALIZE COLUMN record_head SETTINGS mutations_sync = 2',
  );
  await database.run(
    'ALTER TABLE transactions MATERIALIZE COLUMN record_hash SETTINGS mutations_sync = 2',
  );
  expect(await fingerprintOf('transactions')).not.toEqual(before);
  await migrate(database.engine, TIME_ZONE);
  expect(await fingerprintOf('transactions')).toEqual(before);
});

test('a database of an earlier version gets the audit log', async () => {
  await database.run('DROP TABLE audit SYNC');
  await database.run('ALTER TABLE migrations DELETE WHERE version = 6 SETTINGS mutations_sync = 2');
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['audit log']);
  expect(await database.rows('SELECT * FROM audit')).toEqual([]);
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
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['records that are read in less time']);
  expect(await codecs()).toEqual(wanted);
  expect(await Promise.all(TABLES.map(fingerprintOf))).toEqual(before);
});

test('a database of an earlier version gets the partnerships of its transactions', async () => {
  const partnerships = async () =>
    await database.rows(
      'SELECT publisher_id, program_id FROM partnerships FINAL ORDER BY publisher_id, program_id',
    );
  await database.run('DROP TABLE partnerships SYNC');
  await database.run(
    'ALTER TABLE migrations DELETE WHERE version = 10 SETTINGS mutations_sync = 2',
  );
  expect(await migrate(database.engine, TIME_ZONE)).toEqual([
    'partnerships of publishers and programs',
  ]);
  expect(await partnerships()).toEqual(
    await database.rows(
      'SELECT DISTINCT publisher_id, program_id FROM transactions ORDER BY publisher_id, program_id',
    ),
  );
  expect(await partnerships()).not.toEqual([]);
});

test('a database of an earlier version gets the tables of webhooks', async () => {
  for (const table of ['webhooks', 'webhook_progress']) {
    await database.run(`DROP TABLE ${table} SYNC`);
  }
  await database.run(
    'ALTER TABLE migrations DELETE WHERE version = 12 SETTINGS mutations_sync = 2',
  );
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['webhooks']);
  for (const table of ['webhooks', 'webhook_progress']) {
    expect(await database.rows(`SELECT * FROM ${table}`)).toEqual([]);
  }
});

test('a database of an earlier version gets the tables of sign-in links', async () => {
  const tables = ['sign_in_links', 'sign_in_claims'];
  for (const table of tables) await database.run(`DROP TABLE ${table} SYNC`);
  await database.run(
    'ALTER TABLE migrations DELETE WHERE version = 13 SETTINGS mutations_sync = 2',
  );
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['sign-in links']);
  for (const table of tables) expect(await database.rows(`SELECT * FROM ${table}`)).toEqual([]);
});

test('a database of an earlier version gets the directory', async () => {
  await database.run('DROP TABLE directory SYNC');
  await database.run('ALTER TABLE migrations DELETE WHERE version = 9 SETTINGS mutations_sync = 2');
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['directory of names']);
  expect(await database.rows('SELECT * FROM directory')).toEqual([]);
});

test('a database from before erasures gets their tables', async () => {
  for (const table of ['erasures', 'erased']) await database.run(`DROP TABLE ${table} SYNC`);
  await database.run('ALTER TABLE migrations DELETE WHERE version = 7 SETTINGS mutations_sync = 2');
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['erasures of persons']);
  for (const table of ['erasures', 'erased']) {
    expect(await database.rows(`SELECT * FROM ${table}`)).toEqual([]);
  }
});

test('tokens of a database from before manage no tokens, and new ones can', async () => {
  await database.run('ALTER TABLE tokens DROP COLUMN may_manage_tokens');
  await database.run(
    `INSERT INTO tokens (id, hash, role, publisher_ids, program_ids, created_at, revision)
SELECT 'old', 'hash', 'admin', [], [], now(), 1`,
  );
  await database.run('DELETE FROM migrations WHERE version = 11');
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['tokens that manage tokens']);
  const tokens = databaseTokens({ ...database, topology: ONE_SERVER });
  const rights = { role: 'admin', publisherIds: [], programIds: [] } as const;
  await tokens.createToken({ ...rights, mayManageTokens: true });
  expect(await tokens.revokeToken('old')).toBe(true);
  const managing = (await tokens.listTokens()).map(({ id, mayManageTokens }) => [
    id === 'old',
    mayManageTokens,
  ]);
  expect(managing.sort()).toEqual([
    [false, true],
    [true, false],
  ]);
});

test('tokens and links of a database from before have no creator, and new ones have one', async () => {
  for (const table of ['tokens', 'sign_in_links'])
    await database.run(`ALTER TABLE ${table} DROP COLUMN created_by`);
  await database.run(`INSERT INTO tokens (id, hash, role, publisher_ids, program_ids, created_at, revision)
SELECT 'before', 'another', 'affiliate', [345], [], now(), 1`);
  await database.run(`INSERT INTO sign_in_links (id, hash, role, publisher_ids, created_at, link_expires_at)
SELECT 'link', 'more', 'affiliate', [345], now(), now() + 900`);
  await database.run('DELETE FROM migrations WHERE version = 14');
  expect(await migrate(database.engine, TIME_ZONE)).toEqual(['creators of tokens']);
  const tokens = databaseTokens({ ...database, topology: ONE_SERVER });
  const { record } = await tokens.createToken({
    role: 'affiliate',
    publisherIds: [345],
    programIds: [],
    createdBy: 'manager',
  });
  const creators = new Map((await tokens.listTokens()).map(({ id, createdBy }) => [id, createdBy]));
  expect([creators.get('before'), creators.get('link')]).toEqual([undefined, undefined]);
  expect(creators.get(record.id)).toBe('manager');
});
