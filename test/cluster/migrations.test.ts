import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect } from 'vitest';
import { migrateDatabase } from '../../src/database/migrate-database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { ClickHouseEngine } from '../../src/engine/clickhouse/clickhouse-engine.ts';
import { select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { SHARDED_BY } from '../../src/schema/topology.ts';
import { insertManySales } from '../support/databases/inserted/many-sales.ts';
import { EVERYBODY } from '../support/rows/addresses.ts';
import { testInFull as test } from '../support/run/test-in-full.ts';
import { CLUSTER, ClickHouseCluster } from '../support/servers/clickhouse-cluster.ts';

// Only in the full run. In `npm test`, the other tests of clusters use tables that a migration has made on each server.

const ROWS = 6;

let directory: string;
let cluster: ClickHouseCluster;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-migrations-'));
  cluster = await ClickHouseCluster.start(directory);
});

afterAll(async () => {
  await cluster.close();
  await rm(directory, { recursive: true, force: true });
});

const migrate = async (url: string, name?: string) =>
  await migrateDatabase({ url, timeZone: 'Europe/Paris' }, name);

/** The names of the tables on each server, or another expression of each table. */
async function tablesOfEach(expression = 'name'): Promise<readonly string[]> {
  const query = `SELECT groupArray(${expression}) FROM (
SELECT * FROM system.tables WHERE database = currentDatabase() ORDER BY name)`;
  const asked = cluster.hosts().map(async (host) => {
    const response = await fetch(`http://${host}/?database=reports`, {
      method: 'POST',
      body: query,
    });
    return await response.text();
  });
  return await Promise.all(asked);
}

test('an unknown cluster is refused with the nearest name', async () => {
  const migrating = migrate(cluster.address(), 'reportin');
  await expect(migrating).rejects.toThrow(
    `The server has no cluster named reportin. Its clusters: ${CLUSTER}. Did you mean "${CLUSTER}"?`,
  );
});

test('a cluster is refused unchanged if DATABASE_URL lacks some of its servers', async () => {
  const migrating = migrate(cluster.address([0, 1, 3]), CLUSTER);
  await expect(migrating).rejects.toThrow(
    /^The cluster reporting has 4 servers \(127\.0\.0\.1:\d+(, 127\.0\.0\.1:\d+){3}\), but DATABASE_URL names 3\.$/,
  );
  expect(new Set(await tablesOfEach())).toEqual(new Set(['[]\n']));
});

test('migrating fails while a server of the cluster is down, and completes when it is back', async () => {
  await cluster.kill(2);
  await expect(migrate(cluster.address(), CLUSTER)).rejects.toThrow(/ECONNREFUSED/);
  await cluster.revive(2);
  await migrate(cluster.address(), CLUSTER);
  const tables = await tablesOfEach();
  expect(tables).toEqual(tables.map(() => tables[0]));
  expect(tables[0]).toContain('affiliate_transactions_local');
});

test('migrating a cluster again changes nothing, with its name and without', async () => {
  expect(await migrate(cluster.address(), CLUSTER)).toEqual([]);
  expect(await migrate(cluster.address())).toEqual([]);
});

/** Runs statements on one server, each in a database. */
async function run(at: number, database: string, ...texts: readonly string[]): Promise<void> {
  for (const body of texts) {
    const url = `http://${cluster.hosts([at])[0]}/?database=${database}`;
    const response = await fetch(url, { method: 'POST', body });
    expect(await response.text()).toBe('');
  }
}

const empty = async (at: number) =>
  await run(at, 'system', 'DROP DATABASE reports SYNC', 'CREATE DATABASE reports');

test.each([0, 3])('server %i gets the tables of the others if it is new', async (at) => {
  await migrateDatabase({
    url: cluster.address(),
    timeZone: undefined,
    addresses: EVERYBODY.masked,
  });
  await empty(at);
  await migrateDatabase({ url: cluster.address(), timeZone: undefined });
  const tables = await tablesOfEach('(name, create_table_query)');
  expect(tables).toEqual(tables.map(() => tables[0]));
});

test('a migration that was interrupted on the first server can be completed', async () => {
  for (const at of [1, 2, 3]) await empty(at);
  // Keys are stored when all servers have tables.
  await run(0, 'reports', 'TRUNCATE TABLE keys_local');
  await migrate(cluster.address());
  for (const at of [1, 2, 3]) await empty(at);
  const drops = Object.keys(SHARDED_BY).map((table) => `DROP TABLE ${table} SYNC`);
  await run(0, 'reports', 'TRUNCATE TABLE keys_local', ...drops);
  await expect(migrate(cluster.address())).rejects.toThrow('because the command was interrupted');
  const opening = openDatabase({ url: cluster.address([0]), timeZone: undefined });
  await expect(opening).rejects.toThrow('does not have all tables');
  await migrate(cluster.address(), CLUSTER);
  const tables = await tablesOfEach();
  expect(tables).toEqual(tables.map(() => tables[0]));
});

test('nothing is created while the server that may have the tables is down', async () => {
  await run(1, 'system', 'CREATE DATABASE elsewhere');
  const url = cluster.address([0, 1]).replace('/reports', '/elsewhere');
  await cluster.kill(0);
  await expect(migrate(url)).rejects.toThrow('does not answer, and a migration needs all of them');
  await cluster.revive(0);
});

test('servers of different databases are refused', async () => {
  for (const at of [0, 1]) await run(at, 'system', 'CREATE DATABASE IF NOT EXISTS different');
  const url = (servers: readonly number[]) =>
    cluster.address(servers).replace('/reports', '/different');
  await migrate(url([0]));
  await expect(migrate(url([0, 1]))).rejects.toThrow('they do not all have its tables');
  await migrateDatabase({ url: url([1]), timeZone: 'UTC' });
  await expect(migrate(url([0, 1]))).rejects.toThrow('they have different time zones');
});

test('a database is not opened after an interrupted restore, whichever server has its mark, but without a server that is down', async () => {
  const opening = async () => await openDatabase({ url: cluster.address(), timeZone: undefined });
  const mark = 'import_ab12_restore_local';
  await run(3, 'reports', `CREATE TABLE ${mark} (facts String) ENGINE = MergeTree ORDER BY facts`);
  await expect(opening()).rejects.toThrow('A restore into this database is still running');
  await run(3, 'reports', `DROP TABLE ${mark} SYNC`);
  await cluster.kill(3);
  await (await opening()).engine.close();
  await cluster.revive(3);
});

test('a database is not opened if DATABASE_URL lacks some servers of its cluster', async () => {
  const opening = openDatabase({ url: cluster.address([0, 1, 3]), timeZone: undefined });
  await expect(opening).rejects.toThrow(
    /^The cluster reporting has 4 servers \(.+\), but DATABASE_URL names 3\.$/,
  );
});

test("another cluster's name is refused", async () => {
  await expect(migrate(cluster.address(), 'another')).rejects.toThrow(
    `The database is spread over the cluster ${CLUSTER}, not another.`,
  );
});

test('a database on one server cannot be moved to a cluster', async () => {
  const body = 'CREATE DATABASE single';
  for (const host of cluster.hosts()) await fetch(`http://${host}`, { method: 'POST', body });
  await migrate(cluster.address([0]).replace('/reports', '/single'));
  const spreading = migrate(cluster.address().replace('/reports', '/single'), CLUSTER);
  await expect(spreading).rejects.toThrow('The database has its tables on one server already.');
});

test('a missing field is added on every server, and rendered in its rows', async () => {
  const hosts = cluster.hosts().map((host) => `http://${host}`);
  const user = { username: 'default', password: '', database: 'reports' };
  const engine = new ClickHouseEngine({ hosts, ...user });
  try {
    await insertManySales(engine, ROWS, 2);
    const old = `MODIFY COLUMN record_head String MATERIALIZED '{"old":"' CODEC(ZSTD(1))`;
    for (const server of engine.each()) {
      await server.execute(plainStatement(`ALTER TABLE transactions_local ${old}`));
      await server.execute(plainStatement('ALTER TABLE transactions_local DROP COLUMN coupon'));
    }
    expect(await migrate(cluster.address())).toContain('columns of transactions');
    for (const server of engine.each()) {
      const statement = plainStatement(
        "SELECT concat(record_head, 'x', record_tail) AS record FROM transactions",
      );
      const rows = await server.rows(select(v.object({ record: v.string() }), statement));
      expect(rows).toHaveLength(ROWS);
      for (const { record } of rows) expect(JSON.parse(record)).toMatchObject({ coupon: null });
    }
  } finally {
    await engine.close();
  }
});
