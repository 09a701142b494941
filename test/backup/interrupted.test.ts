import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '../../src/backup/back-up.ts';
import { restore } from '../../src/backup/restore.ts';
import { takeSnapshot } from '../../src/backup/snapshot.ts';
import { withStagingHeartbeat } from '../../src/backup/staging-heartbeat.ts';
import { FULL_ADDRESSES } from '../../src/contract/record/address-visibility.ts';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { NEVER_ABORTED } from '../../src/engine/never-aborted.ts';
import { dropStaging, stagingOf, stagingsIdleFor } from '../../src/ingest/staging/staging.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { type BackupHome, backupHome } from '../support/databases/backups.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import {
  outcomeOf,
  runCommand,
  runProcess,
  startCommand,
  startServing,
} from '../support/programs/command.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';

const ROWS = fullOrShort(100_000, 5000);
const KILLS = fullOrShort(25, 1);

let home: BackupHome;

beforeAll(async () => {
  home = await backupHome('UTC');
  await home.importRows('data', ROWS);
  await home.backUp('data', 'first');
});

afterAll(async () => await home.remove());

const complete = { admin: ROWS, affiliate: ROWS, left: [] };

/** Runs a command, and kills it after a moment. */
async function killed(args: readonly string[], moment: () => Promise<unknown>) {
  const child = startCommand(args, { directory: home.path });
  const ended = outcomeOf(child);
  await Promise.race([ended, moment()]);
  child.kill('SIGKILL');
  return await ended;
}

/** Moments to kill a command: spread over its duration, which is measured. In `npm test`, when it has begun to write. */
async function momentsOf(args: readonly string[]) {
  const started = performance.now();
  if (IS_FULL) await runProcess(args, { directory: home.path });
  const duration = performance.now() - started;
  return (kill: number, hasBegun: () => Promise<boolean>) => async () => {
    if (IS_FULL) return await sleep((duration * kill) / KILLS);
    while (!(await hasBegun())) await sleep(5);
  };
}

/** Whether a folder has a file that meets a condition. */
const hasFile = async (folder: string, condition: (name: string) => boolean) =>
  (await readdir(join(home.path, folder)).catch(() => [])).some(condition);

test('a backup that is killed at any moment is complete or refused, and damages no other data', async () => {
  const data = ['--database', 'chdb:./data'];
  const momentOf = await momentsOf(['backup', 'second', ...data]);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const name = `killed-${kill}`;
    const moment = momentOf(kill, async () => await hasFile(name, () => true));
    await killed(['backup', name, '--base', 'first', ...data], moment);
    const { code, errors } = await home.run(`from-${name}`, ['restore', name]);
    if (code === 0) expect(await home.seenIn(`from-${name}`)).toEqual(complete);
    else expect(errors).toContain('no complete backup');
  }
  expect(await home.seenIn('data')).toEqual(complete);
  // Only in the full run. In `npm test`, the next test restores the first backup.
  if (!IS_FULL) return;
  expect(await home.run('of-first', ['restore', 'first'])).toMatchObject({ code: 0 });
  expect(await home.seenIn('of-first')).toEqual(complete);
});

test('after a restore is killed at any moment, commands say so, and it can be run again', async () => {
  const restore = (database: string) => ['restore', 'first', '--database', `chdb:./${database}`];
  const run = async (args: readonly string[]) => await runCommand(args, { directory: home.path });
  const momentOf = await momentsOf(restore('whole'));
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const database = `again-${kill}`;
    const isTable = (name: string) => name.startsWith('import_');
    const moment = momentOf(
      kill,
      async () => await hasFile(`${database}/metadata/default`, isTable),
    );
    await killed(restore(database), moment);
    const opened = await run(['token', 'list', '--database', `chdb:./${database}`]);
    if (opened.code !== 0) expect(opened.errors).toContain('restore into this database');
    const { code, errors } = await run(restore(database));
    // The second restore is refused only if the rows of the first were visible before the kill.
    if (code !== 0) expect(errors).toContain('The database is not empty');
    expect(await home.seenIn(database)).toEqual(complete);
  }
});

// Only in the full run. In `npm test`, the other tests check that a backup that ends early damages nothing.
testInFull('SIGINT stops a backup of a running service, which goes on serving', async () => {
  const server = await startServing(['serve', '--port', '0', '--database', 'chdb:./data'], {
    directory: home.path,
  });
  const child = startCommand(['backup', 'stopped', '--database', 'chdb:./data'], {
    directory: home.path,
  });
  const ended = outcomeOf(child);
  await sleep(700);
  child.kill('SIGINT');
  const { code, errors } = await ended;
  // A busy machine may not have started the command yet, so that the signal ends it at once.
  expect([0, 1, 'SIGINT']).toContain(code);
  if (code === 1) expect(errors).toMatch(/Interrupted\.\n.*run the command again/);
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
  expect(await home.run('data', ['backup', 'after'])).toMatchObject({ code: 0 });
  await server.stop();
  expect(await home.seenIn('data')).toEqual(complete);
});

test('a restore that was interrupted keeps the service from starting, and the database from being migrated', async () => {
  const database = join(home.path, 'marked');
  await newDatabase(database, 'UTC');
  const { openChdb } = await import('../../src/engine/chdb/open-chdb.ts');
  const engine = await openChdb(database);
  const mark =
    'CREATE TABLE import_ab12_restore (facts String) ENGINE = MergeTree ORDER BY tuple()';
  await engine.execute({ text: mark, values: {} });
  await engine.close();
  const { code, errors } = await home.run('marked', ['serve', '--port', '0']);
  expect([code, errors]).toEqual([
    1,
    expect.stringContaining('run it again: transactions restore'),
  ]);
  const masked = { IP_ADDRESSES: 'affiliate=masked, admin=full' };
  const migrated = await home.run('marked', ['migrate'], masked);
  expect([migrated.code, migrated.errors]).toEqual([
    1,
    expect.stringContaining('run it again: transactions restore'),
  ]);
  // Only in the full run. In `npm test`, the test above restores again after a kill.
  if (!IS_FULL) return;
  expect(await home.run('marked', ['restore', 'first'])).toMatchObject({ code: 0 });
  expect(await home.seenIn('marked')).toEqual(complete);
});

test('a backup that fails while it copies tables leaves no staging table', async () => {
  await newDatabase(join(home.path, 'failing'), 'UTC');
  const { openDatabase } = await import('../../src/database/open-database.ts');
  const url = `chdb:${join(home.path, 'failing')}`;
  const database = await openDatabase({ url, timeZone: undefined });
  let copies = 0;
  const engine = watchedEngine(database.engine, async (server, statement, watch) => {
    if (statement.text.includes('ATTACH PARTITION ALL FROM') && ++copies > 3) {
      throw new Error('The disk is full.');
    }
    await server.execute(statement, watch);
  });
  const nodes = await clusterNodesOf(engine, database.topology);
  try {
    const { signal } = new AbortController();
    await expect(takeSnapshot(nodes, signal)).rejects.toThrow('The disk is full.');
    expect(copies).toBeGreaterThan(3);
    expect(await stagingsIdleFor(nodes, 0)).toEqual([]);
  } finally {
    await database.engine.close();
  }
});

test('on a server, a removal that died before it was done keeps no backup from being made, and no unchanged row becomes a change', async () => {
  const { openDatabase } = await import('../../src/database/open-database.ts');
  const directory = join(home.path, 'removing');
  await newDatabase(directory, 'UTC');
  const database = await openDatabase({ url: `chdb:${directory}`, timeZone: 'UTC' });
  const engine = watchedEngine(
    database.engine,
    async (server, statement, watch) => await server.execute(statement, watch),
    { isShared: true },
  );
  const operator = new LocalOperator({ ...database, engine });
  const die = async (id: string) =>
    await engine.execute(
      plainStatement(`INSERT INTO imports SELECT 'retention-${id}', 'publishing', now64(3, 'UTC')`),
    );
  const path = join(home.path, 'removing.csv');
  await writeFile(path, csv([fileRow({}), fileRow({})]));
  const files = [{ path, name: 'removing.csv' }];
  const changes = plainStatement('SELECT toUInt32(count()) AS changes FROM changes');
  try {
    await die('ab-202601');
    const to = { kind: 'directory', name: 'kept', path: join(home.path, 'kept') } as const;
    await operator.backUp({ to }, { signal: NEVER_ABORTED });
    await die('cd-202601');
    for (let round = 0; round < 2; round += 1)
      await operator.importFiles({ files, round: false, rejects: false }, {});
    expect(await engine.rows(select(ANY_ROW, changes))).toEqual([{ changes: 2 }]);
  } finally {
    await operator.close();
  }
});

test('while a backup or a restore runs, a staging table changes, so that no process removes the tables as abandoned', async () => {
  const { openDatabase } = await import('../../src/database/open-database.ts');
  const directory = join(home.path, 'beating');
  await newDatabase(directory, 'UTC');
  const { engine, topology } = await openDatabase({ url: `chdb:${directory}`, timeZone: 'UTC' });
  const beating: unknown[] = [];
  const tables = `SELECT count() = 1 AS isBeating FROM system.tables WHERE match(name, '^import_[0-9a-f]+_heartbeat$')`;
  const watched = watchedEngine(engine, async (server, statement, watch) => {
    await server.execute(statement, watch);
    if (/^(BACKUP|RESTORE) /.test(statement.text))
      beating.push(...(await server.rows(select(ANY_ROW, plainStatement(tables)))));
  });
  const nodes = await clusterNodesOf(watched, topology);
  const place = { kind: 'directory', name: 'beat', path: join(home.path, 'beat') } as const;
  const options = { signal: NEVER_ABORTED };
  const staging = stagingOf('ab12');
  const beats = plainStatement('SELECT count() > 2 AS isEnough FROM import_ab12_heartbeat');
  const isEnough = async () => (await engine.rows(select(ANY_ROW, beats)))[0];
  try {
    await withStagingHeartbeat(
      nodes,
      staging,
      async () => await expect.poll(isEnough).toEqual({ isEnough: 1 }),
      20,
    );
    await dropStaging(nodes, staging);
    const betweenImports = async <Result>(work: () => Promise<Result>) => await work();
    await backUp({ nodes, timeZone: 'UTC', betweenImports }, { to: place }, options);
    await restore({ nodes, timeZone: 'UTC', addresses: FULL_ADDRESSES }, place, options);
    // One statement writes the backup and one reads it back. One reads the facts to restore, and one the tables.
    expect(beating).toEqual(Array.from({ length: 4 }, () => ({ isBeating: 1 })));
    expect(await stagingsIdleFor(nodes, 0)).toEqual([]);
  } finally {
    await engine.close();
  }
});

test('a backup with records that another version rendered is refused', async () => {
  const { openDatabase } = await import('../../src/database/open-database.ts');
  const directory = join(home.path, 'rendered');
  await newDatabase(directory, 'UTC');
  const { engine, topology } = await openDatabase({ url: `chdb:${directory}`, timeZone: 'UTC' });
  const nodes = await clusterNodesOf(engine, topology);
  const place = { kind: 'directory', name: 'other', path: join(home.path, 'other') } as const;
  const options = { signal: NEVER_ABORTED };
  const betweenImports = async <Result>(work: () => Promise<Result>) => await work();
  try {
    await backUp({ nodes, timeZone: 'UTC', betweenImports }, { to: place }, options);
    const other = "MODIFY COLUMN record_head String MATERIALIZED 'other' CODEC(LZ4)";
    await engine.execute(plainStatement(`ALTER TABLE transactions ${other}`));
    const restoring = restore(
      { nodes, timeZone: 'UTC', addresses: FULL_ADDRESSES },
      place,
      options,
    );
    await expect(restoring).rejects.toThrow('whose tables differ from those of version');
  } finally {
    await engine.close();
  }
});
