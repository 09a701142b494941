import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LocalOperator } from '../../../src/control/local-operator.ts';
import { type Database, openDatabase } from '../../../src/database/open-database.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { publishingImports } from '../../../src/ingest/staging/import-state.ts';
import { publishAtomically } from '../../../src/ingest/staging/publishing.ts';
import { endDeadMarks, recoverImports } from '../../../src/ingest/staging/recover-others.ts';
import { dropStaging, stagingsIdleFor } from '../../../src/ingest/staging/staging.ts';
import { INTEGER, select } from '../../../src/plan/select.ts';
import { plainStatement } from '../../../src/plan/sql.ts';
import { clusterNodesOf } from '../../../src/schema/cluster-nodes.ts';
import { laterClock } from '../../support/crashes/later-clock.ts';
import { newDatabase } from '../../support/databases/copied-database.ts';
import { watchedEngine } from '../../support/databases/watched-engine.ts';
import { csv } from '../../support/rows/csv.ts';
import { fileRow } from '../../support/rows/file-rows.ts';

// Several operators on one engine, as processes on a ClickHouse server.

let home: string;
let database: Database;
let shared: Engine;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-interrupted-'));
  await newDatabase(join(home, 'data'), 'UTC');
  database = await openDatabase({ url: `chdb:${join(home, 'data')}`, timeZone: 'UTC' });
  shared = watched(async () => undefined);
});

afterEach(async () => {
  await database.engine.close();
  await rm(home, { recursive: true, force: true });
});

/** The engine of another process. `before` runs before each of its statements. */
const watched = (before: (text: string) => Promise<void>): Engine =>
  watchedEngine(
    database.engine,
    async (server, statement, watch) => {
      await before(statement.text);
      await server.execute(statement, watch);
    },
    { isShared: true },
  );

const ROW = fileRow({ updated_at: '2026-01-11 12:00:00' });

/** Imports another version of the row with the same `updated_at`. */
async function importSupport(engine: Engine, support: number): Promise<void> {
  const path = join(home, `${support}.csv`);
  await writeFile(path, csv([{ ...ROW, support_id: support }]));
  const files = [{ path, name: path }];
  const operator = new LocalOperator({ ...database, engine });
  await operator.importFiles({ files, round: false, rejects: false }, {});
}

async function supports(): Promise<readonly number[]> {
  const text = plainStatement('SELECT support_id FROM transactions FINAL');
  const rows = await shared.rows(select(v.object({ support_id: INTEGER }), text));
  return rows.map(({ support_id }) => support_id);
}

async function importUntil(text: string, support: number): Promise<void> {
  const dying = watched(async (statement) => {
    if (statement.includes(text)) throw new Error('The process dies.');
  });
  await expect(importSupport(dying, support)).rejects.toThrow('The process dies.');
}

/** What a process does to the imports of others that look abandoned after some time. */
const recoverAfter = async (seconds: number, engine = shared) =>
  await recoverImports(await clusterNodesOf(laterClock(engine, seconds), database.topology), 3600);

test.each([
  ['before its rows are visible', 'ATTACH PARTITION'],
  ['when only the mark of its end is missing', "'done'"],
])('an import that dies %s does not win over a later one', async (_, death) => {
  await importUntil(death, 100);
  await importSupport(laterClock(shared, 61), 90);
  expect(await supports()).toEqual([90]);
  await recoverAfter(7200);
  expect(await supports()).toEqual([90]);
});

test('an import that dies while a later one is staged does not win over it', async () => {
  let isStaged = false;
  const later = watched(async (text) => {
    if (isStaged || !text.includes('INSERT INTO import_')) return;
    isStaged = true;
    await importUntil('ATTACH PARTITION', 100);
  });
  await importSupport(laterClock(later, 61), 90);
  await recoverAfter(7200);
  expect(await supports()).toEqual([90]);
});

test('an import waits for another one that is becoming visible, and no process finishes that one', async () => {
  const isMarked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const slow = watched(async (text) => {
    if (!text.includes('ATTACH PARTITION')) return;
    isMarked.resolve();
    await goOn.promise;
  });
  const first = importSupport(slow, 100);
  await isMarked.promise;
  const second = importSupport(shared, 90);
  await recoverAfter(30);
  await sleep(500);
  expect(await supports()).toEqual([]);
  goOn.resolve();
  await Promise.all([first, second]);
  expect(await supports()).toEqual([90]);
});

test('the mark of an import that is becoming visible is renewed', async () => {
  const nodes = await clusterNodesOf(shared, database.topology);
  await publishAtomically(nodes, { id: 'ab' }, async () => await sleep(500), 50);
  const text = plainStatement("SELECT count() AS marks FROM imports WHERE state = 'publishing'");
  const [found] = await shared.rows(select(v.object({ marks: INTEGER }), text));
  expect(found?.marks).toBeGreaterThan(2);
});

test('two processes may finish the same import', async () => {
  await importUntil('ATTACH PARTITION', 100);
  let isFirst = true;
  const slower = watched(async (text) => {
    if (!isFirst || !text.includes('ATTACH PARTITION')) return;
    isFirst = false;
    await recoverAfter(61);
  });
  await recoverAfter(61, slower);
  expect(await supports()).toEqual([100]);
  expect(await publishingImports(shared)).toEqual(new Map());
});

test('an import whose staging tables were dropped is reported once, and then stops neither backups nor imports', async () => {
  await importUntil('ATTACH PARTITION', 100);
  const nodes = await clusterNodesOf(shared, database.topology);
  for (const staging of await stagingsIdleFor(nodes, 0)) await dropStaging(nodes, staging);
  const isMarked = async () => (await publishingImports(shared)).size > 0;
  // It may be that its process goes on.
  await endDeadMarks(nodes);
  expect(await isMarked()).toBe(true);
  const later = laterClock(shared, 7200);
  // Its staging tables may be on the server that does not answer.
  await endDeadMarks({ ...nodes, engine: later, isIncomplete: true });
  expect(await isMarked()).toBe(true);
  await expect(importSupport(later, 90)).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringContaining('some of its rows may be missing'),
    next: expect.stringContaining('Import its files again.'),
  });
  expect(await isMarked()).toBe(false);
  await importSupport(later, 90);
  expect(await supports()).toEqual([90]);
});
