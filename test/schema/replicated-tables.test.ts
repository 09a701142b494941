import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect } from 'vitest';
import { FULL_ADDRESSES } from '../../src/contract/record/address-visibility.ts';
import { clusterNamed } from '../../src/database/cluster.ts';
import { ClickHouseEngine } from '../../src/engine/clickhouse/clickhouse-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { publish } from '../../src/ingest/staging/publishing.ts';
import { createStaging, stagedTables, stagingOf } from '../../src/ingest/staging/staging.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { refillAffiliates } from '../../src/schema/affiliate-view.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { migrate } from '../../src/schema/migrations.ts';
import {
  localTable,
  SHARDED_BY,
  storedTopology,
  type Topology,
} from '../../src/schema/topology.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { freePort } from '../support/programs/free-port.ts';
import { testInFull as test } from '../support/run/test-in-full.ts';
import { CLUSTER } from '../support/servers/clickhouse-cluster.ts';
import { ClickHouseServer } from '../support/servers/clickhouse-server.ts';

// Only in the full run. In `npm test`, the tests of clusters use tables whose replicas the service writes itself.

const LAYOUT: Topology = { cluster: { name: CLUSTER, isReplicated: true } };

/**
 * Statements that change rows. They are not executed, because tables can be created but not filled with the
 * Keeper of a test server.
 */
const FILLS = /^(ALTER TABLE|SYSTEM SYNC REPLICA|INSERT INTO (?!migrations))/;

let directory: string;
const servers: ClickHouseServer[] = [];
let engine: ClickHouseEngine;
/** The statements for the server, executed or not. */
const sentStatements: string[] = [];
let watched: Engine;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-replicated-'));
  engine = await startServer('<shard>1</shard><replica>one</replica>');
  watched = watchedEngine(engine, async (server, statement, watch) => {
    sentStatements.push(statement.text);
    if (!FILLS.test(statement.text)) await server.execute(statement, watch);
  });
});

afterAll(async () => {
  await engine.close();
  for (const server of servers) await server.kill();
  await rm(directory, { recursive: true, force: true });
});

/** A cluster of one server, with a Keeper in memory. */
async function startServer(macros: string): Promise<ClickHouseEngine> {
  const place = join(directory, `server-${servers.length}`);
  const [config, tcp] = [`${place}.xml`, await freePort()];
  await mkdir(place);
  const shard = `<internal_replication>true</internal_replication><replica><host>127.0.0.1</host><port>${tcp}</port></replica>`;
  await writeFile(
    config,
    `<clickhouse><zookeeper><implementation>testkeeper</implementation></zookeeper><macros>${macros}</macros>
<remote_servers><${CLUSTER}><shard>${shard}</shard></${CLUSTER}></remote_servers></clickhouse>`,
  );
  const server = await ClickHouseServer.start(place, undefined, { tcp, config });
  servers.push(server);
  await fetch(server.url, { method: 'POST', body: 'CREATE DATABASE reports ENGINE = Atomic' });
  return engineAt([server.url]);
}

const engineAt = (hosts: readonly string[]) =>
  new ClickHouseEngine({ hosts, username: 'default', password: '', database: 'reports' });

test.each([
  ['', 'shard and replica'],
  ['<shard>1</shard>', 'replica'],
  ['<replica>one</replica>', 'shard'],
])('a cluster with a server that has only the macros "%s" is refused', async (macros, missing) => {
  const other = await startServer(macros);
  await expect(clusterNamed(other, CLUSTER)).rejects.toThrow(
    `A server of the cluster has no macro ${missing}.`,
  );
  await other.close();
});

test('a cluster with internal replication is recognized', async () => {
  expect(await clusterNamed(engine, CLUSTER)).toEqual(LAYOUT.cluster);
});

test('the tables of a cluster with internal replication are replicated, each with a different path', async () => {
  await migrate(watched, 'Europe/Paris', LAYOUT);
  // New tables are created with their indexes and codecs, so no statement adds these later.
  expect(
    sentStatements.filter((text) => /(ADD|MATERIALIZE) INDEX|MODIFY COLUMN/.test(text)),
  ).toEqual([]);
  // A server that is behind must not fill its projections from only a part of the transactions.
  const waited = sentStatements.indexOf('SYSTEM SYNC REPLICA transactions_local');
  const filled = sentStatements.findIndex((text) => /^INSERT INTO transactions_by_/.test(text));
  expect(waited).toBeGreaterThan(-1);
  expect(filled).toBeGreaterThan(waited);
  const statement =
    plainStatement(`SELECT name, engine, extract(engine_full, '^\\\\w+\\\\((.*?), \\\\w+\\\\)') AS place FROM system.tables
WHERE database = currentDatabase() AND engine LIKE '%Replacing%' ORDER BY name`);
  const columns = v.object({ name: v.string(), engine: v.string(), place: v.string() });
  const tables = await engine.rows(select(columns, statement));
  const names = Object.keys(SHARDED_BY).map((table) => localTable(LAYOUT, table));
  expect(tables.map(({ name }) => name)).toEqual(names.toSorted());
  for (const { engine: kind, place } of tables) {
    expect(kind).toBe('ReplicatedReplacingMergeTree');
    expect(place).toMatch(/^'\/clickhouse\/tables\/.+\/(\{shard\}|1)\/\w+', '(\{replica\}|one)'$/);
  }
  expect(new Set(tables.map(({ place }) => place)).size).toBe(names.length);
  expect(await storedTopology(engine)).toEqual(LAYOUT);
});

test('a server that is behind does not fill the table of affiliates from only a part of the transactions', async () => {
  sentStatements.length = 0;
  await refillAffiliates(watched, LAYOUT, FULL_ADDRESSES);
  expect(sentStatements).toEqual([
    'SYSTEM SYNC REPLICA transactions_local',
    expect.stringMatching(/^INSERT INTO affiliate_transactions_local /),
  ]);
});

test('an import is added to all tables, and is on every replica before it is marked as done', async () => {
  const nodes = await clusterNodesOf(watched, LAYOUT);
  const staging = stagingOf('ab');
  await createStaging(nodes, staging, FULL_ADDRESSES);
  const staged = stagedTables(LAYOUT, staging);
  const statement = plainStatement(`SELECT engine FROM system.tables
WHERE name IN ('${staged.map(({ table }) => table).join("', '")}')`);
  const kinds = await engine.rows(select(ANY_ROW, statement));
  expect(kinds).toEqual(staged.map(() => ({ engine: 'ReplicatedReplacingMergeTree' })));
  sentStatements.length = 0;
  await publish(nodes, staging);
  const [numbers, marks] = ['publications', 'imports'].map(
    (table) => `SYSTEM SYNC REPLICA ${table}_local`,
  );
  expect(sentStatements).toEqual([
    numbers,
    expect.stringContaining("'intended'"),
    numbers,
    marks,
    expect.stringContaining("'publishing'"),
    marks,
    ...staged.map(
      ({ table, target }) => `ALTER TABLE ${target} ATTACH PARTITION ALL FROM ${table}`,
    ),
    ...staged.map(({ target }) => `SYSTEM SYNC REPLICA ${target}`),
    numbers,
    expect.stringContaining("'restarted'"),
    marks,
    expect.stringContaining("'done'"),
  ]);
});

test('while a server is down, imports work only with replicated tables', async () => {
  const half = engineAt([servers[0]?.url ?? '', `http://127.0.0.1:${await freePort()}`]);
  expect((await clusterNodesOf(half, LAYOUT)).servers).toHaveLength(1);
  const plain: Topology = { cluster: { name: CLUSTER, isReplicated: false } };
  await expect(clusterNodesOf(half, plain)).rejects.toThrow(
    'A server of the cluster does not answer',
  );
  await half.close();
});
