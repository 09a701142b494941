import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { type Database, openDatabase } from '../../src/database/open-database.ts';
import { damagedParts } from '../../src/engine/damaged-parts.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { TRANSACTION_TABLES } from '../../src/schema/transaction-tables.ts';
import { damageParts } from '../support/crashes/damaged-parts.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, fileRow } from '../support/rows/file-rows.ts';
import { BYTES_OF_PERSON, PERSON, personRow } from '../support/rows/person.ts';
import { filesWith } from './raw-files.ts';

const ORDER = {
  selectors: [{ field: 'clickid', values: [PERSON.clickid] }],
  mode: 'empty',
} as const;

/** A new database into which each list of rows is imported. The parts are not merged. */
async function databaseWith(...imports: readonly (readonly FileRow[])[]) {
  const home = await mkdtemp(join(tmpdir(), 'transactions-damaged-'));
  const directory = join(home, 'db');
  let isOpen: LocalOperator | undefined;
  const close = async () => {
    await isOpen?.close();
    isOpen = undefined;
  };
  onTestFinished(async () => {
    await close();
    await rm(home, { recursive: true, force: true });
  });
  const open = async () => {
    const database = await openDatabase({ url: `chdb:${directory}`, timeZone: 'UTC' });
    const operator = new LocalOperator(database);
    isOpen = operator;
    return { database, operator };
  };
  await newDatabase(directory, 'UTC');
  const { database, operator } = await open();
  await database.engine.execute(plainStatement('SYSTEM STOP MERGES'));
  for (const rows of imports) {
    const path = join(home, 'file.csv');
    await writeFile(path, csv(rows));
    const files = [{ path, name: 'file.csv' }];
    await operator.importFiles({ files, round: false, rejects: false }, {});
  }
  await close();
  return { directory, open, close };
}

const deleteDamaged = async ({ engine }: Database) => {
  for (const { path } of await damagedParts(engine)) await rm(path, { recursive: true });
};

test('an erasure deletes rows of the other tables that the table of administrators has lost', async () => {
  const before = personRow({ updated_at: '2026-01-16 10:00:00' });
  const after = { ...before, updated_at: '2026-01-17 10:00:00' };
  const { directory, open, close } = await databaseWith(
    [before, fileRow({ clickid: 'another' })],
    [after, personRow({})],
  );
  await damageParts(directory, 'transactions', 1);
  const { database, operator } = await open();
  await deleteDamaged(database);
  expect((await operator.erase(ORDER)).groups).toMatchObject([{ transactions: 2 }]);
  expect(await filesWith(directory, BYTES_OF_PERSON)).toEqual([]);
  for (const { table } of TRANSACTION_TABLES) {
    const text = `SELECT count() AS rows FROM ${table} FINAL`;
    const rows = await database.engine.rows(select(ANY_ROW, plainStatement(text)));
    expect([table, rows]).toEqual([table, [{ rows: 2 }]]);
  }
  await close();
  await open();
});

test('an erasure is refused while files are damaged, because they cannot be searched', async () => {
  const { directory, open } = await databaseWith([personRow({})]);
  await damageParts(directory, 'transactions_by_program');
  const { database, operator } = await open();
  const [part] = await damagedParts(database.engine);
  const refusal = {
    message: expect.stringContaining(
      `table transactions_by_program, month 2026-01 (${part?.path}). Nothing was erased`,
    ),
    next: expect.stringContaining('delete the named directories'),
  };
  await expect(operator.previewErasure(ORDER)).rejects.toMatchObject(refusal);
  await expect(operator.erase(ORDER)).rejects.toMatchObject(refusal);
  const stored = plainStatement('SELECT count() AS rows FROM erased');
  expect(await database.engine.rows(select(ANY_ROW, stored))).toEqual([{ rows: 0 }]);
  await deleteDamaged(database);
  await operator.erase(ORDER);
  expect(await filesWith(directory, BYTES_OF_PERSON)).toEqual([]);
});

test('an erasure is refused while there are older files that damaged files had replaced, but their rows are not reported as lost', async () => {
  const { directory, open, close } = await databaseWith([personRow({})]);
  await damageParts(directory, 'transactions');
  const before = await open();
  const [part] = await damagedParts(before.database.engine);
  await close();
  const path = part?.path ?? '';
  await rename(path, join(dirname(path), 'covered-by-broken_202601_1_1_0'));
  const { database, operator } = await open();
  expect((await operator.databaseState()).damaged).toEqual([]);
  const refusal = expect.stringContaining(
    'older files that damaged files had replaced: table tran',
  );
  await expect(operator.erase(ORDER)).rejects.toMatchObject({ message: refusal });
  await deleteDamaged(database);
  await operator.erase(ORDER);
  expect(await filesWith(directory, BYTES_OF_PERSON)).toEqual([]);
});

test('an erasure that a power cut interrupts is completed, and deletes files of its months that the power cut has damaged', async () => {
  const { directory, open, close } = await databaseWith([personRow({})]);
  const { database } = await open();
  const engine = watchedEngine(database.engine, async (server, statement, watch) => {
    if (statement.text.startsWith('OPTIMIZE')) throw new Error('The process died.');
    await server.execute(statement, watch);
  });
  const dying = new LocalOperator({ ...database, engine });
  await expect(dying.erase(ORDER)).rejects.toThrow('died');
  await close();
  await damageParts(directory, 'transactions');
  const { database: completed } = await open();
  expect(await damagedParts(completed.engine)).toEqual([]);
  expect(await filesWith(directory, BYTES_OF_PERSON)).toEqual([]);
});
