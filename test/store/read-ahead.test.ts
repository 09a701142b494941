import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readAhead } from '../../src/store/read-ahead.ts';

const BLOCK = 1000;

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
  expect(await joined(readAhead(numbered(count), 4 * BLOCK))).toEqual(expected(count));
});

test('the source is read to its end while the reader takes nothing', async () => {
  let given = 0;
  const blocks = readAhead(
    numbered(3000, () => {
      given += 1;
    }),
    4 * BLOCK,
  );
  const first = await blocks.next();
  await expect.poll(() => given, { timeout: 5000 }).toBe(3000);
  const rest = await joined(blocks);
  expect(Buffer.concat([Buffer.from(first.value ?? []), rest])).toEqual(expected(3000));
});

test('a failure of the source is the reader’s', async () => {
  async function* failing() {
    yield* numbered(2);
    throw new Error('the engine failed');
  }
  await expect(joined(readAhead(failing(), BLOCK))).rejects.toThrow('the engine failed');
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
  const blocks = readAhead(endless(), BLOCK);
  await blocks.next();
  await sleep(50);
  await blocks.return(undefined);
  expect(isStopped).toBe(true);
  const left = await readdir(tmpdir());
  expect(left.filter((name) => name.startsWith('transactions-answer-'))).toEqual([]);
});
