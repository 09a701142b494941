import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LineQueue } from '../../src/audit/line-queue.ts';

let written: string[][];
let isDown: boolean;
let lost: number[];
let failures: number;

beforeEach(() => {
  vi.useFakeTimers();
  written = [];
  lost = [];
  isDown = false;
  failures = 0;
});

afterEach(() => {
  vi.useRealTimers();
});

const openQueue = (delay = 1000, batchLength = 10) =>
  new LineQueue({
    write: async (lines) => {
      if (isDown) throw new Error('down');
      written.push([...lines]);
    },
    delay,
    batchLength,
    onFailure: () => {
      failures += 1;
    },
    onLost: (count) => lost.push(count),
  });

test('lines are gathered for a while, and written in batches', async () => {
  const queue = openQueue();
  for (const line of ['aaaa', 'bbbb', 'cccc', 'd'.repeat(30)]) queue.add(line);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(written).toEqual([['aaaa', 'bbbb'], ['cccc'], ['d'.repeat(30)]]);
  expect(queue).toMatchObject({ waiting: 0, written: 4, dropped: 0 });
});

test('without a delay, a line is written at once', async () => {
  openQueue(0).add('a');
  await vi.advanceTimersByTimeAsync(0);
  expect(written).toEqual([['a']]);
});

test('lines wait while they cannot be written, and then come in order', async () => {
  const queue = openQueue();
  isDown = true;
  queue.add('a');
  await vi.advanceTimersByTimeAsync(60_000);
  queue.add('b');
  expect([queue.waiting, failures > 5]).toEqual([2, true]);
  isDown = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(written).toEqual([['a', 'b']]);
  expect(lost).toEqual([]);
});

test('lines beyond the capacity are dropped and reported, those before are kept', async () => {
  const queue = openQueue();
  isDown = true;
  const mebibyte = 'x'.repeat(1024 * 1024);
  for (let at = 0; at < 11; at += 1) queue.add(mebibyte);
  expect(queue).toMatchObject({ waiting: 8, dropped: 3 });
  isDown = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([queue.written, lost]).toEqual([8, [3]]);
});

test('the last lines are written when the queue closes', async () => {
  const queue = openQueue();
  queue.add('a');
  await queue.close(1000);
  expect(written).toEqual([['a']]);
});

test('a queue that cannot be written closes in time, and counts what it lost', async () => {
  const queue = new LineQueue({
    write: async (_, signal) => {
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
    delay: 1000,
    batchLength: 10,
    onFailure: () => undefined,
    onLost: () => undefined,
  });
  queue.add('a');
  const closing = queue.close(3000);
  await vi.advanceTimersByTimeAsync(3000);
  expect(await closing).toBe(1);
  expect(queue).toMatchObject({ waiting: 0, dropped: 1 });
});
