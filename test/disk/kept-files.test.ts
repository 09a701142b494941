import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DiskQuota, DiskQuotaExceeded } from '../../src/disk/disk-quota.ts';
import { type ExportFile, ExportFiles } from '../../src/disk/export-files.ts';
import { KeptFiles } from '../../src/disk/kept-files.ts';
import { NEVER_ABORTED } from '../../src/engine/never-aborted.ts';
import { openFilesIn } from '../support/programs/open-files.ts';

const LONG = 3_600_000;
const QUOTA = 100;

let directory: string;
let files: ExportFiles;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kept-files-'));
  files = new ExportFiles(directory, 0, new DiskQuota(QUOTA));
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

const written = async (client: string, bytes = QUOTA): Promise<ExportFile> =>
  await files
    .forClient(() => client)
    .write(async (path) => {
      await writeFile(path, 'x'.repeat(bytes));
    }, NEVER_ABORTED);

const nothing = async () => undefined;

const keyOf = (owner: string, name = 'question') => ({ owner, name });

test('a file is kept for its owner and its name alone, until its time is over', async () => {
  const kept = new KeptFiles<string>(20);
  await kept.keep(keyOf('one'), await written('one'), 'facts', nothing);
  expect(kept.filesOf(keyOf('one')).map(({ facts }) => facts)).toEqual(['facts']);
  expect(kept.filesOf(keyOf('other'))).toEqual([]);
  expect(kept.filesOf(keyOf('one', 'other'))).toEqual([]);
  await expect.poll(() => kept.filesOf(keyOf('one'))).toEqual([]);
  await expect.poll(async () => await openFilesIn(directory)).toEqual([]);
});

test('a superseded file is outdated after this time, even if it is read again and again', async () => {
  const kept = new KeptFiles<string>(50);
  await kept.keep(keyOf('one'), await written('one'), 'facts', nothing);
  const [file] = kept.filesOf(keyOf('one'));
  if (file === undefined) throw new Error('The file is not kept.');
  expect(file.isOutdated).toBe(false);
  await kept.read(file, async () => {
    kept.supersede(file);
    kept.supersede(file);
    await expect.poll(() => file.isOutdated).toBe(true);
  });
  await kept.clear();
});

test('an idle file is closed if another file of the client needs its space', async () => {
  const kept = new KeptFiles<string>(LONG);
  await kept.keep(keyOf('one'), await written('one'), 'idle', nothing);
  await kept.keep(keyOf('other'), await written('other'), 'of another client', nothing);
  const next = await written('one');
  expect(kept.filesOf(keyOf('one'))).toEqual([]);
  expect(kept.filesOf(keyOf('other'))).toHaveLength(1);
  await kept.keep(keyOf('one'), next, 'read', async () => {
    await expect(written('one')).rejects.toThrow(DiskQuotaExceeded);
    expect(kept.filesOf(keyOf('one'))).toHaveLength(1);
  });
  await kept.clear();
  expect(await openFilesIn(directory)).toEqual([]);
});

test('a file that is removed while it is read is closed afterwards', async () => {
  const kept = new KeptFiles<string>(LONG);
  await kept.keep(keyOf('one'), await written('one'), 'facts', async ({ file }) => {
    await kept.clear();
    expect(kept.filesOf(keyOf('one'))).toEqual([]);
    expect((await file.file.stat()).size).toBe(QUOTA);
  });
  expect(await openFilesIn(directory)).toEqual([]);
});

test('a file that was read once can be forgotten, and one that was read again stays', async () => {
  const kept = new KeptFiles<string>(LONG);
  const read = async () =>
    await kept.keep(keyOf('one'), await written('one', 1), 'facts', async (one) => {
      kept.forgetUnlessShared(one);
    });
  await read();
  expect(kept.filesOf(keyOf('one'))).toEqual([]);
  await kept.keep(keyOf('one'), await written('one', 1), 'facts', nothing);
  const [shared] = kept.filesOf(keyOf('one'));
  if (shared === undefined) throw new Error('The file was not kept.');
  await kept.read(shared, async (one) => kept.forgetUnlessShared(one));
  expect(kept.filesOf(keyOf('one'))).toHaveLength(1);
  await kept.clear();
  expect(await openFilesIn(directory)).toEqual([]);
});

test('an owner has at most 16 kept files, and the ones that were read longest ago are closed', async () => {
  const kept = new KeptFiles<number>(LONG);
  for (let at = 0; at < 20; at += 1) {
    await kept.keep(keyOf('one'), await written('one', 1), at, nothing);
  }
  expect(kept.filesOf(keyOf('one')).map(({ facts }) => facts)).toEqual(
    Array.from({ length: 16 }, (_, at) => at + 4),
  );
  expect(await openFilesIn(directory)).toHaveLength(16);
  await kept.clear();
});
