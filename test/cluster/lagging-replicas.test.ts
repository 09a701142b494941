import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { readRetention } from '../../src/contract/record/retention.ts';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { changeAddressVisibility } from '../../src/database/change-ip-addresses.ts';
import { type Database, openDatabase } from '../../src/database/open-database.ts';
import { retain } from '../../src/database/retain.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { type ClusterNodes, clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import type { Topology } from '../../src/schema/topology.ts';
import { localTransactionTables } from '../../src/schema/transaction-tables.ts';
import { endLease, takeLease } from '../../src/schema/values/maintenance-lease.ts';
import { storeOnAllServers } from '../../src/schema/values/stored-value.ts';
import { openStore, type Store } from '../support/databases/stores.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { EVERYBODY } from '../support/rows/addresses.ts';
import { csv } from '../support/rows/csv.ts';
import { PERSON, personRow } from '../support/rows/person.ts';
import { testInFull as test } from '../support/run/test-in-full.ts';
import { CLUSTER } from '../support/servers/clickhouse-cluster.ts';

// Only in the full run. In `npm test`, erasure/stores.test.ts erases on every replica of a cluster.

/**
 * Makes the service wait for replicas, as with replicated tables. The test servers have no Keeper, so that in truth
 * each insert goes to every replica.
 */
const REPLICATED: Topology = { cluster: { name: CLUSTER, isReplicated: true } };

const REPLICATED_ENGINE = /ReplicatedReplacingMergeTree\('[^']*', '[^']*', (\w+)\)/g;

/** Inserts into the tables that may be read from any replica. */
const INSERTED = /^INSERT INTO (keys|erasures|erased)\s/;

/** Replaces or drops a month of a table, and the other replicas follow. Not the empty month that an erasure drops. */
const MONTH_CHANGED = /^ALTER TABLE (\w+) (?:REPLACE|DROP) PARTITION ID '(?!1900)/;

const TABLES = localTransactionTables(REPLICATED);

const ENDED_LEASE = JSON.stringify({ holder: '', until: 0 });

const timeZone = 'UTC';

let home: string;
let store: Store;
let database: Database;
let nodes: ClusterNodes;
/** Local tables of each server that lag behind what was inserted. */
const late = new Map<Engine, Set<string>>();
const inserted = new Set<string>();
/** The statements for all servers, each with its values. */
const sent: string[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-lagging-'));
  store = await openStore('cluster', home, timeZone);
  const opened = await openDatabase({ url: store.url, timeZone });
  const engine = watchedEngine(opened.engine, async (server, statement, watch) => {
    sent.push([statement.text, ...Object.values(statement.values)].join(' '));
    const synced = /^SYSTEM SYNC REPLICA (\w+)$/.exec(statement.text)?.[1];
    if (synced !== undefined) {
      late.get(server)?.delete(synced);
      return;
    }
    const text = statement.text.replace(REPLICATED_ENGINE, 'ReplacingMergeTree($1)');
    await server.execute({ ...statement, text }, watch);
    const changed = MONTH_CHANGED.exec(text)?.[1];
    if (changed !== undefined) {
      for (const [other, tables] of late) if (other !== server) tables.add(changed);
    }
    const table = INSERTED.exec(text)?.[1];
    // The service ends a lease without waiting, so that this cannot fail. Replicas see the end within seconds.
    if (table === undefined || Object.values(statement.values).includes(ENDED_LEASE)) return;
    inserted.add(table);
    for (const tables of late.values()) tables.add(`${table}_local`);
  });
  for (const server of opened.engine.each()) late.set(server, new Set());
  database = { ...opened, engine, topology: REPLICATED };
  nodes = await clusterNodesOf(engine, REPLICATED);
  await writeFile(join(home, 'file.csv'), csv([personRow({ created_at: '2026-01-10 12:00:00' })]));
});

afterAll(async () => {
  await database.engine.close();
  await store.close();
  await rm(home, { recursive: true, force: true });
});

beforeEach(() => {
  inserted.clear();
  sent.length = 0;
  for (const tables of late.values()) tables.clear();
});

/** The tables that some replica does not have in full. */
const lagging = () => [...new Set([...late.values()].flatMap((tables) => [...tables]))];

/** The tables of transactions that all servers have synchronized before the first statement of this form. */
function synchronizedBefore(form: RegExp): readonly string[] {
  const first = sent.findIndex((text) => form.test(text));
  expect(first).toBeGreaterThan(-1);
  const before = sent.slice(0, first);
  return TABLES.filter(
    (table) =>
      before.filter((text) => text === `SYSTEM SYNC REPLICA ${table}`).length >=
      nodes.servers.length,
  );
}

async function importRow(): Promise<void> {
  const files = [{ path: join(home, 'file.csv'), name: 'file.csv' }];
  const order = { files, round: false, rejects: false };
  expect(await new LocalOperator(database).importFiles(order, {})).toMatchObject({ imported: 1 });
}

test('a change of the IP address setting begins when every replica has all transactions, and ends when every replica knows it', async () => {
  await importRow();
  sent.length = 0;
  const change = { timeZone, wanted: EVERYBODY.masked, announce: () => undefined };
  expect(await changeAddressVisibility(nodes, change)).toHaveLength(1);
  expect(synchronizedBefore(/^INSERT INTO addresses_draft/)).toEqual(TABLES);
  expect([[...inserted], lagging()]).toEqual([['keys'], []]);
});

/** Whether all servers have synchronized the table between the first two statements of these forms. */
function isSynchronizedBetween(table: string, from: RegExp, until: RegExp): boolean {
  const [first, last] = [from, until].map((form) => sent.findIndex((text) => form.test(text)));
  const between = sent.slice(first, last).filter((text) => text === `SYSTEM SYNC REPLICA ${table}`);
  return between.length >= nodes.servers.length;
}

test('an import is checked when every replica has all transactions, and becomes visible when every replica has its mark', async () => {
  await importRow();
  expect(synchronizedBefore(/^INSERT INTO import_\w+_conflicts /)).toContain('transactions_local');
  expect(isSynchronizedBetween('imports_local', /'publishing'/, /ATTACH PARTITION/)).toBe(true);
});

test('an import takes a number when every replica has the earlier ones and its announcement', async () => {
  await importRow();
  expect(isSynchronizedBetween('publications_local', /^/, /'intended'/)).toBe(true);
  expect(isSynchronizedBetween('publications_local', /'intended'/, /'publishing'/)).toBe(true);
  expect(isSynchronizedBetween('publications_local', /ATTACH PARTITION/, /'published'/)).toBe(true);
});

test('a search for a person first waits until every replica has all transactions', async () => {
  const operator = new LocalOperator(database);
  const selectors = [{ field: 'clickid', values: ['unknown'] }] as const;
  await operator.previewErasure({ selectors, mode: 'empty' });
  const waits = TABLES.map((table) => `SYSTEM SYNC REPLICA ${table}`);
  expect([...new Set(sent)]).toEqual(waits);
  sent.length = 0;
  await operator.erase({ selectors, mode: 'empty' });
  expect(synchronizedBefore(/^INSERT INTO erased\s/)).toEqual(TABLES);
});

test('an erasure ends when every replica knows it', async () => {
  const operator = new LocalOperator(database);
  const selectors = [{ field: 'clickid', values: [PERSON.clickid] }] as const;
  const { groups } = await operator.erase({ selectors, mode: 'empty' });
  expect(groups).toHaveLength(1);
  expect([[...inserted].sort(), lagging()]).toEqual([['erased', 'erasures'], []]);
});

test('retention begins when every replica has all transactions, and ends when every replica knows the first month that is kept', async () => {
  const retention = readRetention('*=1 month');
  const today = Temporal.PlainDate.from('2026-11-22');
  const remove = async () =>
    (await retain(nodes, timeZone, { retention, isDryRun: false }, {}, today)).removed;
  expect(await remove()).toHaveLength(1);
  expect(synchronizedBefore(MONTH_CHANGED)).toEqual(TABLES);
  expect([[...inserted], lagging()]).toEqual([['keys'], []]);
  // The import barrier lets readers go on when they can know that the rows are gone.
  const ends = sent.filter((text) => text.includes('kept_from') || text.includes("'done'"));
  expect(ends.slice(-2)).toEqual([
    expect.stringContaining('kept_from'),
    expect.stringContaining("'done'"),
  ]);
  sent.length = 0;
  // If there is nothing to remove, it only reads: a database user who only reads may not synchronize replicas.
  expect(await remove()).toEqual([]);
  expect(sent).toEqual([]);
});

test('a stored value is complete when every replica has it', async () => {
  await storeOnAllServers(nodes, 'kept_from', {});
  expect([[...inserted], lagging()]).toEqual([['keys'], []]);
});

test('a lease is taken when every replica knows it', async () => {
  expect(await takeLease(nodes, 'one')).toBe(true);
  expect([[...inserted], lagging()]).toEqual([['keys'], []]);
  await endLease(nodes, 'one');
});
