import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DiskFull } from '../../src/disk/disk-space.ts';
import { ExportFiles } from '../../src/disk/export-files.ts';
import { NEVER_ABORTED } from '../../src/engine/never-aborted.ts';

const MEGABYTE = 1024 ** 2;

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'outgoing-files-'));
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

/** A place as a process of a number makes it among the temporary ones, with a file in it. */
async function leftBy(processId: number): Promise<string> {
  const place = join(tmpdir(), `transactions-outgoing-${processId}-left`);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'file'), 'x');
  return place;
}

const isThere = async (place: string): Promise<boolean> =>
  await readdir(place).then(
    () => true,
    () => false,
  );

/** The number of a process that has just ended. */
const deadProcess = (): number => spawnSync(process.execPath, ['--version']).pid;

test.each([
  ['that is dead', deadProcess, false],
  ['that had the same number, as the first one of a container has', () => process.pid, false],
  ['that is alive', () => process.ppid, true],
])('what a process left %s is removed or kept at the start', async (_, processOf, isKept) => {
  const place = await leftBy(processOf());
  try {
    await new ExportFiles(undefined).clear();
    expect(await isThere(place)).toBe(isKept);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
});

test('a second service of the same process keeps what the first one makes', async () => {
  const first = new ExportFiles(undefined);
  const made = await first.make(async (path) => await writeFile(path, 'first'), NEVER_ABORTED);
  await made.file.close();
  await new ExportFiles(undefined).clear();
  const again = await first.make(async (path) => await writeFile(path, 'again'), NEVER_ABORTED);
  expect(again.size).toBe(5);
  await again.file.close();
  await first.close();
});

test('a full disk is told before anything is written', async () => {
  const files = new ExportFiles(directory, Number.MAX_SAFE_INTEGER);
  let isAsked = false;
  const making = files.make(async () => {
    isAsked = true;
  }, NEVER_ABORTED);
  await expect(making).rejects.toThrow(DiskFull);
  expect(isAsked).toBe(false);
});

test('what fills the disk is stopped before that, and leaves nothing', async () => {
  const { bavail, bsize } = await statfs(directory);
  const files = new ExportFiles(directory, bavail * bsize - 64 * MEGABYTE);
  const making = files.make(async (path, signal) => {
    for (;;) {
      signal.throwIfAborted();
      await appendFile(path, new Uint8Array(8 * MEGABYTE));
      await sleep(5);
    }
  }, NEVER_ABORTED);
  await expect(making).rejects.toThrow(DiskFull);
  expect(await readdir(directory)).toEqual([]);
});

test('whoever leaves stops the writing, and is told nothing of the disk', async () => {
  const leaving = new AbortController();
  const making = new ExportFiles(directory).make(async (_, signal) => {
    leaving.abort();
    await sleep(60_000, undefined, { signal });
  }, leaving.signal);
  await expect(making).rejects.toThrow('aborted');
});
