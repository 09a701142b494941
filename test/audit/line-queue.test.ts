import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LineBatch } from '../../src/audit/writing/line-buffer.ts';
import { LineQueue } from '../../src/audit/writing/line-queue.ts';

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

/** The lines of a batch, which must be as many as it says. */
function linesIn({ parts, count }: LineBatch): string[] {
  const lines = Buffer.concat(parts).toString().split('\n');
  expect(lines.pop()).toBe('');
  expect(lines).toHaveLength(count);
  return lines;
}

const openQueue = (delay = 1000, batchSize = 10) =>
  new LineQueue({
    write: async (batch) => {
      if (isDown) throw new Error('down');
      written.push(linesIn(batch));
    },
    delay,
    batchSize,
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

/** A queue whose writes take so long, in milliseconds. Writes fail while `isDown` is true at their end. */
const slowQueue = (duration: number, delay: number) =>
  new LineQueue({
    write: async (batch) => {
      await new Promise((resolve) => setTimeout(resolve, duration));
      if (isDown) throw new Error('down');
      written.push(linesIn(batch));
    },
    delay,
    batchSize: 1000,
    onFailure: () => {
      failures += 1;
    },
    onLost: (count) => lost.push(count),
  });

test('lines are written after writes that take longer than the delay', async () => {
  const queue = slowQueue(1500, 1000);
  queue.add('a');
  await vi.advanceTimersByTimeAsync(1500);
  queue.add('b');
  await vi.advanceTimersByTimeAsync(5000);
  queue.add('c');
  await vi.advanceTimersByTimeAsync(5000);
  expect(written).toEqual([['a'], ['b'], ['c']]);
});

test('a write that fails slowly is repeated, although a line was added meanwhile', async () => {
  const queue = slowQueue(30_000, 1000);
  isDown = true;
  queue.add('a');
  await vi.advanceTimersByTimeAsync(5000);
  queue.add('b');
  await vi.advanceTimersByTimeAsync(30_000);
  isDown = false;
  await vi.advanceTimersByTimeAsync(120_000);
  expect([written.flat(), failures]).toEqual([['a', 'b'], 1]);
});

test('flushing ends under steady load, and lines are still written in batches', async () => {
  const queue = slowQueue(10, 5000);
  const load = setInterval(() => queue.add('x'), 2);
  await vi.advanceTimersByTimeAsync(5);
  let isFlushed = false;
  void queue.flush().then(() => {
    isFlushed = true;
  });
  await vi.advanceTimersByTimeAsync(25);
  expect([isFlushed, written.length]).toEqual([true, 1]);
  await vi.advanceTimersByTimeAsync(20_000);
  clearInterval(load);
  expect(written.length).toBeLessThan(30);
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
  // With its line break.
  const mebibyte = 'x'.repeat(1024 * 1024 - 1);
  for (let at = 0; at < 11; at += 1) queue.add(mebibyte);
  expect(queue).toMatchObject({ waiting: 8, dropped: 3 });
  isDown = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([queue.written, lost]).toEqual([8, [3]]);
});

test('lines that are added while others are written stay in order and are written once', async () => {
  const queue = slowQueue(10, 5);
  const added: string[] = [];
  let writtenBefore = 0;
  for (let at = 0; at < 3000; at += 1) {
    const line = `${at} ${'é'.repeat(at % 700)}`;
    added.push(line);
    queue.add(line);
    // Each failure takes five seconds.
    isDown = at % 1500 < 10;
    await vi.advanceTimersByTimeAsync(at % 10);
    writtenBefore = written.length;
  }
  isDown = false;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(written.flat()).toEqual(added);
  expect(failures).toBeGreaterThan(0);
  expect(writtenBefore).toBeGreaterThan(100);
  expect(queue).toMatchObject({ waiting: 0, written: 3000, dropped: 0 });
});

test('the last lines are written when the queue closes', async () => {
  const queue = openQueue();
  queue.add('a');
  await queue.close(1000);
  expect(written).toEqual([['a']]);
});

test('a queue that gets lines while it closes writes each line or counts it as lost', async () => {
  const queue = slowQueue(10, 0);
  let added = 0;
  const load = setInterval(() => {
    queue.add(String(added));
    added += 1;
  }, 3);
  await vi.advanceTimersByTimeAsync(20);
  const closing = queue.close(1000).finally(() => clearInterval(load));
  await vi.advanceTimersByTimeAsync(2000);
  const lost = await closing;
  expect(written.flat()).toEqual(Array.from({ length: added - lost }, (_, at) => String(at)));
  expect(queue).toMatchObject({ waiting: 0, written: added - lost, dropped: lost });
});

test('a queue that cannot be written closes in time, and counts what it lost', async () => {
  const queue = new LineQueue({
    write: async (_, signal) => {
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
    delay: 1000,
    batchSize: 10,
    onFailure: () => undefined,
    onLost: () => undefined,
  });
  queue.add('a');
  const closing = queue.close(3000);
  await vi.advanceTimersByTimeAsync(3000);
  expect(await closing).toBe(1);
  expect(queue).toMatchObject({ waiting: 0, dropped: 1 });
});
