import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DiskFull } from '../../src/disk/disk-space.ts';
import { ExportFiles } from '../../src/disk/export-files.ts';
import { spool } from '../../src/disk/spool.ts';
import { openFilesIn } from '../support/programs/open-files.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

const BLOCK = 1000;
/** So many blocks that nearly all of them are on the disk. */
const MANY = fullOrShort(5000, 1000);

let directory: string;
let files: ExportFiles;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-'));
  files = new ExportFiles(directory);
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

/** Blocks that are filled with their index. */
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

test.each([0, 1, 3, 10, MANY])('%i blocks come out in order and unchanged', async (count) => {
  expect(await joined(spool(numbered(count), files, 4 * BLOCK))).toEqual(expected(count));
});

test('the input is read to its end while the consumer takes nothing', async () => {
  let given = 0;
  const blocks = spool(
    numbered(MANY, () => {
      given += 1;
    }),
    files,
    4 * BLOCK,
  );
  const first = await blocks.next();
  await expect.poll(() => given).toBe(MANY);
  const rest = await joined(blocks);
  expect(Buffer.concat([Buffer.from(first.value ?? []), rest])).toEqual(expected(MANY));
});

test('a failure of the input reaches the consumer', async () => {
  async function* failing() {
    yield* numbered(2);
    throw new Error('the engine failed');
  }
  await expect(joined(spool(failing(), files, BLOCK))).rejects.toThrow('the engine failed');
});

test('a consumer that leaves stops the input and leaves no file', async () => {
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
  const blocks = spool(endless(), files, BLOCK);
  await blocks.next();
  await sleep(50);
  await blocks.return(undefined);
  expect(isStopped).toBe(true);
  expect(await readdir(directory)).toEqual([]);
  expect(await openFilesIn(directory)).toEqual([]);
});

test('the input is stopped when the disk is full', async () => {
  let isStopped = false;
  async function* input() {
    try {
      yield* numbered(100);
    } finally {
      isStopped = true;
    }
  }
  const full = new ExportFiles(directory, Number.MAX_SAFE_INTEGER);
  await expect(joined(spool(input(), full, BLOCK))).rejects.toThrow(DiskFull);
  expect(isStopped).toBe(true);
});

test.each([1, 2, 3, 5, 9])(
  'a consumer that leaves after %i turns of the event loop leaves no file open',
  async (turns) => {
    const blocks = spool(numbered(20_000), files, 2 * BLOCK);
    await blocks.next();
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    await blocks.return(undefined);
    expect(await openFilesIn(directory)).toEqual([]);
  },
);

test('blocks that fit in memory need no disk space', async () => {
  const none = new ExportFiles(directory, Number.MAX_SAFE_INTEGER);
  expect(await joined(spool(numbered(3), none, 4 * BLOCK))).toEqual(expected(3));
});

test('a full disk is reported before the first block', async () => {
  const none = new ExportFiles(directory, Number.MAX_SAFE_INTEGER);
  const blocks = spool(numbered(100), none, 4 * BLOCK);
  await expect(blocks.next()).rejects.toThrow(DiskFull);
});

test('a spool ends with an error before it fills the disk', async () => {
  const { bavail, bsize } = await statfs(directory);
  const little = new ExportFiles(directory, bavail * bsize - 64 * 1024 ** 2);
  async function* endless() {
    for (;;) yield new Uint8Array(1024 ** 2);
  }
  const reading = joined(spool(endless(), little, BLOCK));
  await expect(reading).rejects.toThrow(DiskFull);
  expect(await openFilesIn(directory)).toEqual([]);
});
