import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DiskFull } from '../../src/disk/disk-space.ts';
import { ExportFiles } from '../../src/disk/export-files.ts';
import { readAhead } from '../../src/disk/spool.ts';
import { openFilesIn } from '../support/programs/open-files.ts';

const BLOCK = 1000;

let directory: string;
let files: ExportFiles;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'read-ahead-'));
  files = new ExportFiles(directory);
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

/** So many blocks, each of a number of its own. */
async function* numbered(count: number, onGiven: (at: number) => void = () => {}) {
  for (let at = 0; at < count; at += 1) {
    onGiven(at);
    yield new Uint8Array(BLOCK).fill(at % 256);
  }
}

const joined = async (blocks: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(blocks, (block) => Buffer.from(block)));

const expected = (count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, at) => Buffer.alloc(BLOCK, at % 256)));

test.each([0, 1, 3, 10, 5000])('%i blocks come out as they went in', async (count) => {
  expect(await joined(readAhead(numbered(count), files, 4 * BLOCK))).toEqual(expected(count));
});

test('the source is read to its end while the reader takes nothing', async () => {
  let given = 0;
  const blocks = readAhead(
    numbered(3000, () => {
      given += 1;
    }),
    files,
    4 * BLOCK,
  );
  const first = await blocks.next();
  await expect.poll(() => given).toBe(3000);
  const rest = await joined(blocks);
  expect(Buffer.concat([Buffer.from(first.value ?? []), rest])).toEqual(expected(3000));
});

test('a failure of the source is the reader’s', async () => {
  async function* failing() {
    yield* numbered(2);
    throw new Error('the engine failed');
  }
  await expect(joined(readAhead(failing(), files, BLOCK))).rejects.toThrow('the engine failed');
});

test('a reader that leaves stops the source and leaves nothing on the disk', async () => {
  let isStopped = false;
  async function* endless() {
    try {
      for (;;) {
        yield* numbered(10);
        await sleep(1);
      }
    } finally {
      isStopped = true;
    }
  }
  const blocks = readAhead(endless(), files, BLOCK);
  await blocks.next();
  await sleep(50);
  await blocks.return(undefined);
  expect(isStopped).toBe(true);
  expect(await readdir(directory)).toEqual([]);
  expect(await openFilesIn(directory)).toEqual([]);
});

test('a source whose blocks find no room is stopped', async () => {
  let isStopped = false;
  async function* source() {
    try {
      yield* numbered(100);
    } finally {
      isStopped = true;
    }
  }
  const full = new ExportFiles(directory, Number.MAX_SAFE_INTEGER);
  await expect(joined(readAhead(source(), full, BLOCK))).rejects.toThrow(DiskFull);
  expect(isStopped).toBe(true);
});

test.each([1, 2, 3, 5, 9])(
  'a reader that leaves after %i turns of the loop leaves no file open',
  async (turns) => {
    const blocks = readAhead(numbered(20_000), files, 2 * BLOCK);
    await blocks.next();
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    await blocks.return(undefined);
    expect(await openFilesIn(directory)).toEqual([]);
  },
);

test('what fits in the memory needs no disk', async () => {
  const none = new ExportFiles(directory, Number.MAX_SAFE_INTEGER);
  expect(await joined(readAhead(numbered(3), none, 4 * BLOCK))).toEqual(expected(3));
});

test('what needs a disk that is full is refused before its first block', async () => {
  const none = new ExportFiles(directory, Number.MAX_SAFE_INTEGER);
  const blocks = readAhead(numbered(100), none, 4 * BLOCK);
  await expect(blocks.next()).rejects.toThrow(DiskFull);
});

test('what fills the disk is ended before that', async () => {
  const { bavail, bsize } = await statfs(directory);
  const little = new ExportFiles(directory, bavail * bsize - 64 * 1024 ** 2);
  async function* endless() {
    for (;;) yield new Uint8Array(1024 ** 2);
  }
  const reading = joined(readAhead(endless(), little, BLOCK));
  await expect(reading).rejects.toThrow(DiskFull);
  expect(await openFilesIn(directory)).toEqual([]);
});
