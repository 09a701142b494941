import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { openRejects } from '../../src/cli/output/rejects-file.ts';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { DiskFull, withDiskFullError } from '../../src/disk/disk-space.ts';
import { EngineFailure } from '../../src/engine/engine.ts';
import { unreadable } from '../../src/ingest/files/file-content.ts';
import { fullDiskRefusal } from '../../src/ingest/full-disk.ts';
import { ImportRefused } from '../../src/ingest/import-refused.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { fileRow } from '../support/rows/file-rows.ts';

/** A file on which every write fails, as on a full disk. Linux only. */
const FULL = '/dev/full';

const failedWrite = async () => await writeFile(FULL, 'text');

const onFullDisk = test.skipIf(!existsSync(FULL));

const ofEngine = new EngineFailure('Cannot write: No space left on device');
const embedded = { engine: { versions: { all: 1, tokensAndValues: 1 } }, workDirectory: tmpdir() };
const onServer = { engine: { versions: undefined }, workDirectory: tmpdir() };

const messageOf = async (error: unknown, place: typeof embedded | typeof onServer) => {
  const refusal = await fullDiskRefusal(error, place);
  expect(refusal).toBeInstanceOf(DiskFull);
  return refusal instanceof DiskFull ? refusal.message : '';
};

onFullDisk('a write that finds the disk full names the folder and its free space', async () => {
  const writing = withDiskFullError(tmpdir(), failedWrite());
  await expect(writing).rejects.toThrow(DiskFull);
  const again = withDiskFullError(tmpdir(), failedWrite());
  await expect(again).rejects.toThrow(
    /^The disk of \S+ is full \(\d+ MB free\)\. Make room on it\.$/,
  );
});

onFullDisk(
  'if the disk of the file for rejected rows is full, the message names its folder, not that of the database',
  async () => {
    await expect(openRejects(FULL, { inputs: [], mapping: undefined })).rejects.toThrow(
      /^The disk of \/dev is full/,
    );
  },
);

test('other failures of a write stay as they are', async () => {
  const missing = withDiskFullError(tmpdir(), writeFile('/dev/null/none', ''));
  await expect(missing).rejects.toMatchObject({ code: 'ENOTDIR' });
});

onFullDisk(
  'an import names the disk that is full: that of its own files, or that of the database',
  async () => {
    const local = await failedWrite().catch((error: unknown) => error);
    const ofTemporary = expect.stringContaining(`The disk of ${tmpdir()} is full (`);
    expect(await messageOf(local, embedded)).toEqual(ofTemporary);
    expect(await messageOf(local, onServer)).toEqual(ofTemporary);
    expect(await messageOf(ofEngine, embedded)).toEqual(ofTemporary);
    expect(await messageOf(ofEngine, onServer)).toMatch(
      /^The disk of the database server is full, /,
    );
  },
);

test('other errors of an import, and those that name a disk already, stay as they are', async () => {
  for (const error of [new Error('No disk.'), new EngineFailure('No.'), new DiskFull('Named.')]) {
    expect(await fullDiskRefusal(error, embedded)).toBe(error);
  }
});

onFullDisk('a full disk is no fault of the file that is read or copied', async () => {
  const local = await failedWrite().catch((error: unknown) => error);
  expect(unreadable('sales.parquet', local)).toBe(local);
  expect(unreadable('sales.parquet', ofEngine)).toBe(ofEngine);
  expect(unreadable('sales.parquet', new Error('cut off'))).toBeInstanceOf(ImportRefused);
});

test('an engine without disk space fails an import of a Parquet file, which stays importable', async () => {
  const home = await mkdtemp(join(tmpdir(), 'transactions-full-'));
  const url = `chdb:${join(home, 'db')}`;
  await newDatabase(join(home, 'db'), 'UTC');
  const database = await openDatabase({ url, timeZone: 'UTC' });
  const path = join(home, 'sales.parquet');
  const columns = Object.entries(fileRow({})).map(([name, value]) => ({
    name,
    data: [String(value)],
  }));
  await writeFile(path, new Uint8Array(parquetWriteBuffer({ columnData: columns })));
  const engine = watchedEngine(database.engine, async (server, statement, watch) => {
    if (/^INSERT INTO import_\w+/.test(statement.text)) {
      throw new EngineFailure(
        'Code: 243. DB::Exception: Cannot reserve 1.00 MiB. (NOT_ENOUGH_SPACE)',
      );
    }
    await server.execute(statement, watch);
  });
  const files = [{ path, name: 'sales.parquet' }];
  const importWith = async (used: typeof database) =>
    await new LocalOperator(used).importFiles({ files, round: false, rejects: false }, {});
  try {
    await expect(importWith({ ...database, engine })).rejects.toThrow(DiskFull);
    expect(await importWith(database)).toMatchObject({ imported: 1 });
  } finally {
    await database.engine.close();
    await rm(home, { recursive: true, force: true });
  }
});
