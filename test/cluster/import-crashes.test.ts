import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { finishServerImports } from '../../src/database/finish-imports.ts';
import { migrateDatabase } from '../../src/database/migrate-database.ts';
import { type Database, openDatabase } from '../../src/database/open-database.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { recoverImports } from '../../src/ingest/staging/recover-others.ts';
import { dropStaging, stagingsIdleFor } from '../../src/ingest/staging/staging.ts';
import { INTEGER, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { ONE_SERVER } from '../../src/schema/topology.ts';
import { importDying } from '../support/crashes/dying-import.ts';
import { laterClock } from '../support/crashes/later-clock.ts';
import { countsOfAll } from '../support/databases/cluster-counts.ts';
import { openStore, type Store } from '../support/databases/stores.ts';
import { visibleCounts } from '../support/databases/visible-counts.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { CLUSTER } from '../support/servers/clickhouse-cluster.ts';

const ROWS = 40;

let directory: string;
let store: Store;
let database: Database;
/** The number of rows of all complete imports. */
let there = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-crashes-'));
  store = await openStore('cluster', directory, 'Europe/Paris');
  database = await openDatabase({ url: store.url, timeZone: undefined });
});

afterAll(async () => {
  await database.engine.close();
  await store.close();
  await rm(directory, { recursive: true, force: true });
});

/** A file with new rows of three months, and of websites on both shards. */
async function newFile(): Promise<string> {
  const path = join(directory, 'file.csv');
  const rows = Array.from({ length: ROWS }, (_, at) =>
    fileRow({ publisher_id: 100 + (at % 2), created_at: `2026-0${2 + (at % 3)}-10 12:00:00` }),
  );
  await writeFile(path, csv(rows));
  return path;
}

const recover = async () =>
  await recoverImports(await clusterNodesOf(database.engine, database.topology));

/** Whether all rows of the last import are visible, or none. Fails the test otherwise. */
async function expectAllOrNothing(): Promise<'all' | 'nothing'> {
  const { admin, affiliate, left } = await countsOfAll(database.engine);
  expect({ affiliate, left }).toEqual({ affiliate: admin, left: [] });
  expect([there, there + ROWS]).toContain(admin);
  return admin === there ? 'nothing' : 'all';
}

async function importAgain(path: string): Promise<void> {
  const operator = new LocalOperator(database);
  const files = [{ path, name: 'file.csv' }];
  await operator.importFiles({ files, round: false, rejects: false }, {});
  expect(await expectAllOrNothing()).toBe('all');
  there += ROWS;
}

/** Moments at which a process dies: right before or after it marks its import as complete, while it publishes it, or at the end. */
async function momentsOfDeath(): Promise<readonly number[]> {
  const { statements, complete } = await importDying(store.url, await newFile(), 0);
  expect(await expectAllOrNothing()).toBe('all');
  there += ROWS;
  expect(complete).toBeGreaterThan(10);
  return [complete - 1, complete, complete + 6, statements - 12];
}

test('an import whose process dies is rolled back, or finished if it was marked as complete', async () => {
  const seen: string[] = [];
  // In `npm test`, only the first moment is used: a test below kills a replica at a later one.
  for (const moment of IS_FULL ? await momentsOfDeath() : ["'publishing'"]) {
    const path = await newFile();
    expect((await importDying(store.url, path, moment)).signal).toBe('SIGKILL');
    await recover();
    seen.push(await expectAllOrNothing());
    // In `npm test`, the last test imports on all servers again.
    if (seen.at(-1) === 'all') there += ROWS;
    else if (IS_FULL) await importAgain(path);
  }
  expect(seen).toEqual(['nothing', ...seen.slice(1).map(() => 'all')]);
});

/** Imports a file, and kills a server right before the first statement with the text. */
async function importWhileDying(path: string, victim: number, text: string): Promise<void> {
  let isDead = false;
  const engine = watchedEngine(database.engine, async (server, statement, watch) => {
    if (!isDead && statement.text.includes(text)) {
      isDead = true;
      await store.cluster?.kill(victim);
    }
    await server.execute(statement, watch);
  });
  const operator = new LocalOperator({ ...database, engine });
  const files = [{ path, name: 'file.csv' }];
  await operator.importFiles({ files, round: false, rejects: false }, {});
}

const FAILURE = { name: 'EngineFailure', isTransient: true };

// Only in the full run. In `npm test`, imports.test.ts checks the same for a replica that is down from the start.
test.runIf(IS_FULL)(
  'if a replica dies during an import, nothing is left on the others',
  async () => {
    const path = await newFile();
    await expect(importWhileDying(path, 0, 'INSERT INTO import_')).rejects.toMatchObject(FAILURE);
    for (const server of database.engine.each().slice(1)) {
      expect(await visibleCounts(server)).toEqual({ admin: there, affiliate: there, left: [] });
    }
    await store.cluster?.revive(0);
    await recover();
    expect(await expectAllOrNothing()).toBe('nothing');
    await importAgain(path);
  },
);

const DEATHS = [
  { moment: 'rows are added', text: 'ATTACH PARTITION', victim: 2 },
  { moment: 'the import is marked as complete', text: "'publishing'", victim: 1 },
];

test.each(fullOrShort(DEATHS, DEATHS.slice(1)))(
  'a replica that dies when $moment is repaired',
  async ({ text, victim }) => {
    const path = await newFile();
    await expect(importWhileDying(path, victim, text)).rejects.toMatchObject({ cause: FAILURE });
    await store.cluster?.revive(victim);
    await recover();
    const seen = await expectAllOrNothing();
    if (IS_FULL) await importAgain(path);
    else if (seen === 'all') there += ROWS;
  },
);

/** Imports a file, and stops when the import is marked as complete. Its staged rows stay. */
async function importUntilMarked(path: string): Promise<void> {
  const engine = watchedEngine(database.engine, async (server, statement, watch) => {
    if (statement.text.includes('ATTACH PARTITION')) throw new Error('stopped');
    await server.execute(statement, watch);
  });
  const operator = new LocalOperator({ ...database, engine });
  const files = [{ path, name: 'file.csv' }];
  const importing = operator.importFiles({ files, round: false, rejects: false }, {});
  await expect(importing).rejects.toThrow('The import is complete');
}

test('an import whose process died is finished before a later one, and does not win over it', async () => {
  const path = join(directory, 'file.csv');
  const row = fileRow({ publisher_id: 100, updated_at: '2026-02-11 12:00:00' });
  await writeFile(path, csv([{ ...row, support_id: 100 }]));
  await importUntilMarked(path);
  await writeFile(path, csv([{ ...row, support_id: 90 }]));
  const engine = laterClock(database.engine, 61);
  const files = [{ path, name: 'file.csv' }];
  await new LocalOperator({ ...database, engine }).importFiles(
    { files, round: false, rejects: false },
    {},
  );
  await recover();
  const text = `SELECT support_id FROM transactions FINAL WHERE transaction_id = ${row.transaction_id}`;
  const supports = select(v.object({ support_id: INTEGER }), plainStatement(text));
  expect(await database.engine.rows(supports)).toEqual([{ support_id: 90 }]);
  there += 1;
});

test('a server with an import that failed while it was published is migrated only when the import is finished', async () => {
  const server = await openStore('server', await mkdtemp(join(directory, 'one-')), 'Europe/Paris');
  const opened = await openDatabase({ url: server.url, timeZone: undefined });
  const { engine } = opened;
  onTestFinished(async () => {
    await engine.close();
    await server.close();
  });
  const full = watchedEngine(engine, async (one, statement, watch) => {
    if (statement.text.includes('ATTACH PARTITION')) throw new Error('The disk is full.');
    await one.execute(statement, watch);
  });
  const files = [{ path: await newFile(), name: 'file.csv' }];
  const importing = new LocalOperator({ ...opened, engine: full }).importFiles(
    { files, round: false, rejects: false },
    {},
  );
  await expect(importing).rejects.toThrow('The import is complete, but some rows');
  const migrate = async () => await migrateDatabase({ url: server.url, timeZone: undefined });
  expect(await migrate()).toEqual([]);
  const [staging] = await stagingsIdleFor(await clusterNodesOf(engine, ONE_SERVER), 0);
  for (const table of ['transactions', staging?.transactions]) await removeCoupon(engine, table);
  await expect(migrate()).rejects.toThrow('No existing table was changed.');
  const later = laterClock(engine, 7200);
  const nodes = { engine: later, servers: [later], topology: ONE_SERVER };
  await finishServerImports(nodes);
  expect(await visibleCounts(engine)).toEqual({ admin: ROWS, affiliate: ROWS, left: [] });
  expect(await migrate()).toEqual(['columns of transactions']);
});

/** Makes a table as in an earlier version, without the column `coupon`. */
async function removeCoupon(engine: Engine, table: string | undefined): Promise<void> {
  for (const statement of [
    // Mutations wait while merges are stopped, as they are in staging tables.
    `SYSTEM START MERGES ${table}`,
    `ALTER TABLE ${table} MODIFY COLUMN record_head String MATERIALIZED '{"old":"' CODEC(ZSTD(1))`,
    `ALTER TABLE ${table} DROP COLUMN coupon SETTINGS mutations_sync = 2`,
  ])
    await engine.execute(plainStatement(statement));
}

// The last test: the servers have no Keeper, so that the first one does not get the rows of the import from its replica.
test('an import is finished without the staged rows of a server that was away, but not without those of a shard', async () => {
  await importUntilMarked(await newFile());
  const synced: Engine[] = [];
  const engine = watchedEngine(database.engine, async (server, statement, watch) => {
    if (statement.text === 'SYSTEM SYNC REPLICA transactions_local') synced.push(server);
    if (!statement.text.startsWith('SYSTEM SYNC REPLICA')) await server.execute(statement, watch);
  });
  const nodes = await clusterNodesOf(engine, { cluster: { name: CLUSTER, isReplicated: true } });
  const [away, replica, ...otherShard] = nodes.servers;
  if (away === undefined || replica === undefined) throw new TypeError('There are four servers.');
  for (const staging of await stagingsIdleFor(nodes, 0)) {
    await dropStaging({ ...nodes, servers: [away] }, staging);
  }
  const withoutHolder = { ...nodes, engine: away, servers: [away, ...otherShard] };
  await expect(recoverImports(withoutHolder)).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringContaining('missing in shard 1'),
    next: expect.stringContaining('Start all servers of that shard'),
  });
  expect(await visibleCounts(replica)).toMatchObject({ admin: there });
  await recoverImports(nodes);
  const all = there + ROWS;
  expect(await visibleCounts(replica)).toEqual({ admin: all, affiliate: all, left: [] });
  expect((await visibleCounts(away)).left).toEqual([]);
  // The server that was away too: readers may be sent to it as soon as the import has ended.
  expect(new Set(synced).size).toBe(nodes.servers.length);
});
