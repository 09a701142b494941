import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { openRejects } from '../../src/cli/output/rejects-file.ts';
import { DiskFull, withDiskFullError } from '../../src/disk/disk-space.ts';
import { EngineFailure } from '../../src/engine/engine.ts';
import { fullDiskRefusal } from '../../src/ingest/full-disk.ts';

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
    await expect(openRejects(FULL, [])).rejects.toThrow(/^The disk of \/dev is full/);
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
