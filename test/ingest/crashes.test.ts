import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { type Database, openDatabase } from '../../src/database/open-database.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { stagingOf, stagingsIdleFor } from '../../src/ingest/staging/staging.ts';
import { INTEGER, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { ONE_SERVER } from '../../src/schema/topology.ts';
import { importDying } from '../support/crashes/dying-import.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { type VisibleCounts, visibleCounts } from '../support/databases/visible-counts.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';

/** Over three months, so that the tables are filled in three steps each. */
const ROWS = ['2026-01', '2026-02', '2026-03'].flatMap((month) =>
  Array.from({ length: 10 }, () => fileRow({ created_at: `${month}-10 12:00:00` })),
);

const NOTHING: VisibleCounts = { admin: 0, affiliate: 0, left: [] };
const ALL: VisibleCounts = { admin: ROWS.length, affiliate: ROWS.length, left: [] };

let home: string;
let path: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-crashes-'));
  path = join(home, 'file.csv');
  await writeFile(path, csv(ROWS));
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

async function databaseNamed(name: string): Promise<string> {
  const directory = join(home, name);
  await newDatabase(directory, 'UTC');
  return directory;
}

/** The number of transactions in the change feed. */
async function changesIn(engine: Engine): Promise<number> {
  const text = `SELECT uniqExact(transaction_id) AS changes FROM changes
WHERE batch IN (SELECT batch FROM publications WHERE state = 'published')`;
  const [row] = await engine.rows(select(v.object({ changes: INTEGER }), plainStatement(text)));
  return row?.changes ?? 0;
}

/**
 * Opens the database again. Returns its rows and changes, and its rows after the file is imported again. In `npm test`,
 * the file is imported again only if no row was visible.
 */
async function seenIn(directory: string) {
  return await whenOpened(directory, async ({ engine }, operator) => {
    const first = await visibleCounts(engine);
    const changes = await changesIn(engine);
    if (!IS_FULL && first.admin > 0) return { first, changes, again: first };
    const files = [{ path, name: 'file.csv' }];
    await operator.importFiles({ files, round: false, rejects: false }, {});
    return { first, changes, again: await visibleCounts(engine) };
  });
}

/** The rows of the database after it is opened again. */
const rowsIn = async (directory: string): Promise<VisibleCounts> =>
  await whenOpened(directory, async ({ engine }) => await visibleCounts(engine));

async function whenOpened<Seen>(
  directory: string,
  look: (database: Database, operator: LocalOperator) => Promise<Seen>,
): Promise<Seen> {
  const database = await openDatabase({ url: `chdb:${directory}`, timeZone: 'UTC' });
  const operator = new LocalOperator(database);
  try {
    return await look(database, operator);
  } finally {
    await operator.close();
  }
}

/** The numbers of all statements of an import. */
async function everyStatement(): Promise<readonly number[]> {
  const { statements } = await importDying(`chdb:${await databaseNamed('whole')}`, path, 0);
  expect(statements).toBeGreaterThan(20);
  return Array.from({ length: statements }, (_, at) => at + 1);
}

test('a crash after any statement of an import leaves all of its rows and changes or none', async () => {
  const seen: VisibleCounts[] = [];
  // In `npm test`, just before the import is marked as complete, and after it is numbered. A test below has an import
  // that ends between them.
  for (const statement of IS_FULL
    ? await everyStatement()
    : ["'publishing'", "after 'published'"]) {
    const directory = await databaseNamed(`crash-${statement}`);
    expect((await importDying(`chdb:${directory}`, path, statement)).signal).toBe('SIGKILL');
    const { first, changes, again } = await seenIn(directory);
    expect([NOTHING, ALL]).toContainEqual(first);
    expect(changes).toBe(first.admin);
    expect(again).toEqual(ALL);
    seen.push(first);
    await rm(directory, { recursive: true, force: true });
  }
  // Once a crash leaves all rows, later crashes do too. Both outcomes must occur.
  const firstWhole = seen.findIndex(({ admin }) => admin > 0);
  expect(firstWhole).toBeGreaterThan(0);
  expect(seen.slice(firstWhole).every(({ admin }) => admin > 0)).toBe(true);
  expect(seen.length - firstWhole).toBeGreaterThan(fullOrShort(8, 0));
});

/** A database whose engine refuses some statements. */
async function failingDatabase(name: string, refuses: (text: string) => boolean) {
  const database = await openDatabase({
    url: `chdb:${await databaseNamed(name)}`,
    timeZone: 'UTC',
  });
  const engine = watchedEngine(database.engine, async (server, statement, watch) => {
    if (refuses(statement.text)) throw new Error('The disk is full.');
    await server.execute(statement, watch);
  });
  const operator = new LocalOperator({ ...database, engine });
  const importOf = async (file: string) =>
    await operator.importFiles(
      { files: [{ path: file, name: 'file.csv' }], round: false, rejects: false },
      {},
    );
  return { database, operator, importOf };
}

test('a failed cleanup hides neither success nor failure, and the next start repeats the cleanup', async () => {
  const wrong = join(home, 'wrong.csv');
  await writeFile(wrong, 'type,transaction_id,pubisher_id\n');
  const { operator, importOf } = await failingDatabase('untidy', (text) =>
    text.startsWith('DROP '),
  );
  expect(await importOf(path)).toMatchObject({ imported: ROWS.length });
  await expect(importOf(wrong)).rejects.toThrow('unknown column');
  await operator.close();
  expect(await rowsIn(join(home, 'untidy'))).toEqual(ALL);
});

// In `npm test`, the start of a later version does this in the next test.
testInFull(
  'an import that failed while it was published is finished by the next start',
  async () => {
    let moves = 0;
    const { operator, importOf } = await failingDatabase(
      'failing',
      (text) => text.includes('ATTACH PARTITION') && ++moves > 1,
    );
    await expect(importOf(path)).rejects.toThrow('The disk is full.');
    await operator.close();
    expect(await rowsIn(join(home, 'failing'))).toEqual(ALL);
  },
);

test('an import that failed while it was published is finished by a later version, before it adds a column', async () => {
  const { database, operator, importOf } = await failingDatabase('upgraded', (text) =>
    text.includes('ATTACH PARTITION'),
  );
  const { engine } = database;
  await expect(importOf(path)).rejects.toThrow('The disk is full.');
  const [staging] = await stagingsIdleFor(await clusterNodesOf(engine, ONE_SERVER), 0);
  // The tables of an earlier version, without the column `coupon`.
  for (const table of ['transactions', staging?.transactions]) {
    for (const statement of [
      // Mutations wait while merges are stopped, as they are in staging tables.
      `SYSTEM START MERGES ${table}`,
      `ALTER TABLE ${table} MODIFY COLUMN record_head String MATERIALIZED '{"old":"' CODEC(ZSTD(1))`,
      `ALTER TABLE ${table} DROP COLUMN coupon SETTINGS mutations_sync = 2`,
    ])
      await engine.execute(plainStatement(statement));
  }
  await operator.close();
  expect(await rowsIn(join(home, 'upgraded'))).toEqual(ALL);
});

describe('in one database', () => {
  let refused: string | undefined;
  let failing: Awaited<ReturnType<typeof failingDatabase>>;

  beforeAll(async () => {
    failing = await failingDatabase(
      'failing-twice',
      (text) => refused !== undefined && text.includes(refused),
    );
  });

  afterAll(async () => await failing.operator.close());

  test('an import that cannot be marked as complete imports nothing, and says so', async () => {
    refused = "'publishing'";
    await expect(failing.importOf(path)).rejects.toThrow(/^The disk is full\.$/);
    expect(await visibleCounts(failing.database.engine)).toEqual(NOTHING);
  });

  test('an import that failed while it was published is finished before the next one, which wins', async () => {
    const { database, importOf } = failing;
    refused = 'ATTACH PARTITION ALL FROM import';
    const [first] = ROWS;
    const corrected = join(home, 'corrected.csv');
    await writeFile(corrected, csv([{ ...first, support_id: 77 }]));
    const supports = async () => {
      const text = `SELECT support_id FROM transactions FINAL WHERE transaction_id = ${first?.transaction_id}`;
      return await database.engine.rows(
        select(v.object({ support_id: INTEGER }), plainStatement(text)),
      );
    };
    await expect(importOf(path)).rejects.toThrow('The import is complete, but some rows');
    await expect(importOf(corrected)).rejects.toThrow('An earlier import is complete, but');
    expect(await supports()).toEqual([]);
    refused = undefined;
    await importOf(corrected);
    expect(await supports()).toEqual([{ support_id: 77 }]);
    expect(await visibleCounts(database.engine)).toEqual(ALL);
  });
});

test('an import is abandoned only if its tables are idle on every server, because all its rows may go to one', async () => {
  const url = `chdb:${await databaseNamed('idle')}`;
  const { engine } = await openDatabase({ url, timeZone: 'UTC' });
  const create = 'CREATE TABLE import_ab12_rows (a UInt8) ENGINE = MergeTree ORDER BY a';
  const rows: Engine['rows'] = async (statement) => {
    const text = statement.text.replace('now()', 'now() + 7200');
    return await engine.rows({ ...statement, text });
  };
  // A server whose tables did not change for two hours.
  const idle: Engine = Object.create(engine, { rows: { value: rows } });
  const idleOn = async (servers: readonly Engine[], seconds: number) =>
    await stagingsIdleFor({ engine, servers, topology: ONE_SERVER }, seconds);
  try {
    await engine.execute(plainStatement(create));
    await engine.execute(plainStatement('INSERT INTO import_ab12_rows SELECT 1'));
    expect(await idleOn([idle, engine], 3600)).toEqual([]);
    expect(await idleOn([idle, idle], 3600)).toEqual([stagingOf('ab12')]);
    expect(await idleOn([idle, engine], 0)).toEqual([stagingOf('ab12')]);
  } finally {
    await engine.close();
  }
});
