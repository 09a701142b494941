import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DiskFull, guardDiskSpace } from '../../src/disk/disk-space.ts';
import { ExportFiles } from '../../src/disk/export-files.ts';
import { NEVER_ABORTED } from '../../src/engine/never-aborted.ts';

const MEGABYTE = 1024 ** 2;

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'export-files-'));
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

/** Creates a directory with a file, as the process with this id would leave it. */
async function leftBy(processId: number): Promise<string> {
  const path = join(tmpdir(), `transactions-outgoing-${processId}-left`);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'file'), 'x');
  return path;
}

const isThere = async (path: string): Promise<boolean> =>
  await readdir(path).then(
    () => true,
    () => false,
  );

/** The id of a process that has ended. */
const deadProcess = (): number => spawnSync(process.execPath, ['--version']).pid;

test.each([
  ['a dead process', deadProcess, false],
  ['an earlier process with the same number', () => process.pid, false],
  ['a running process', () => process.ppid, true],
])('the start removes the directory of a dead process only: %s', async (_, processOf, isKept) => {
  const path = await leftBy(processOf());
  try {
    await new ExportFiles(undefined).clear();
    expect(await isThere(path)).toBe(isKept);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
});

test('a second service in the same process keeps the files of the first', async () => {
  const first = new ExportFiles(undefined);
  const made = await first.write(async (path) => await writeFile(path, 'first'), NEVER_ABORTED);
  await made.close();
  await new ExportFiles(undefined).clear();
  const again = await first.write(async (path) => await writeFile(path, 'again'), NEVER_ABORTED);
  expect(again.size).toBe(5);
  await again.close();
  await first.close();
});

test('a full disk is reported before anything is written', async () => {
  const files = new ExportFiles(directory, Number.MAX_SAFE_INTEGER);
  let isCalled = false;
  const writing = files.write(async () => {
    isCalled = true;
  }, NEVER_ABORTED);
  await expect(writing).rejects.toThrow(DiskFull);
  expect(isCalled).toBe(false);
});

test('a write is aborted before it fills the disk, and leaves no file', async () => {
  const { bavail, bsize } = await statfs(directory);
  const files = new ExportFiles(directory, bavail * bsize - 64 * MEGABYTE);
  const writing = files.write(async (path, signal) => {
    for (;;) {
      signal.throwIfAborted();
      await appendFile(path, new Uint8Array(8 * MEGABYTE));
      await sleep(5);
    }
  }, NEVER_ABORTED);
  await expect(writing).rejects.toThrow(DiskFull);
  expect(await readdir(directory)).toEqual([]);
});

test('an abort by the caller stops the write with the reason of the caller', async () => {
  const leaving = new AbortController();
  const writing = new ExportFiles(directory).write(async (_, signal) => {
    leaving.abort();
    await sleep(60_000, undefined, { signal });
  }, leaving.signal);
  await expect(writing).rejects.toThrow('aborted');
});

test('files can be written after the empty temporary directory was removed', async () => {
  const files = new ExportFiles(undefined);
  let used = '';
  const write = async (path: string) => {
    used = dirname(path);
    await writeFile(path, 'text');
  };
  await (await files.write(write, NEVER_ABORTED)).close();
  await rm(used, { recursive: true });
  const [written, created] = await Promise.all([files.write(write, NEVER_ABORTED), files.create()]);
  expect(written.size).toBe(4);
  await written.close();
  await created.close();
  await files.close();
  // Two files at the same time share one new directory.
  expect(await isThere(used)).toBe(false);
});

test('a guarded write ends only after the check of the disk that is under way, and checks do not overlap', async () => {
  const begun = Promise.withResolvers<void>();
  const steps: string[] = [];
  const requireSpace = async () => {
    steps.push('check');
    if (steps.length === 1) return;
    begun.resolve();
    await sleep(400);
    steps.push('checked');
  };
  await guardDiskSpace({ requireSpace, signal: NEVER_ABORTED }, async () => {
    await begun.promise;
    // Longer than the interval of the checks.
    await sleep(200);
    steps.push('written');
  });
  expect(steps).toEqual(['check', 'check', 'written', 'checked']);
});
