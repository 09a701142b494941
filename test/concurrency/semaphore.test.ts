import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Priority } from '../../src/concurrency/priority-queue.ts';
import { QueueFull, Semaphore } from '../../src/concurrency/semaphore.ts';

/** Waits for a permit and releases it at once. */
async function pass(semaphore: Semaphore, priority?: Priority): Promise<void> {
  await semaphore.acquire({ priority });
  semaphore.release();
}

test('as many callers hold a permit as there are permits', async () => {
  const semaphore = new Semaphore({ permits: 2, maxQueue: 100 });
  let running = 0;
  let most = 0;
  const work = async () => {
    await semaphore.acquire();
    running += 1;
    most = Math.max(most, running);
    await nextTurn();
    running -= 1;
    semaphore.release();
  };
  await Promise.all(Array.from({ length: 20 }, work));
  expect(most).toBe(2);
});

test('a semaphore is contended only while a caller waits', async () => {
  const semaphore = new Semaphore({ permits: 1, maxQueue: 1 });
  await semaphore.acquire();
  expect(semaphore.isContended).toBe(false);
  const waiting = pass(semaphore);
  expect(semaphore.isContended).toBe(true);
  semaphore.release();
  await waiting;
  expect(semaphore.isContended).toBe(false);
});

test('a caller is refused when the queue of its priority is full', async () => {
  const semaphore = new Semaphore({ permits: 1, maxQueue: 1 });
  await semaphore.acquire();
  const waiting = [pass(semaphore, 'new'), pass(semaphore, 'small')];
  await expect(semaphore.acquire({ priority: 'new' })).rejects.toThrow(QueueFull);
  semaphore.release();
  await Promise.all(waiting);
  await semaphore.acquire();
});

test('resumed work is never refused', async () => {
  const semaphore = new Semaphore({ permits: 1, maxQueue: 0 });
  await semaphore.acquire();
  const resumed = [pass(semaphore, 'resumed'), pass(semaphore, 'resumed')];
  semaphore.release();
  await Promise.all(resumed);
});

test('a caller that aborts leaves the queue with the reason of its signal', async () => {
  const semaphore = new Semaphore({ permits: 1, maxQueue: 1 });
  await semaphore.acquire();
  const leaving = new AbortController();
  const waiting = semaphore.acquire({ signal: leaving.signal });
  leaving.abort(new Error('The client left.'));
  await expect(waiting).rejects.toThrow('The client left.');
  await expect(semaphore.acquire({ signal: leaving.signal })).rejects.toThrow('The client left.');
  expect(semaphore.isContended).toBe(false);
  semaphore.release();
  await semaphore.acquire();
});

/** Lets promises settle, within the same turn of the event loop. */
async function settlePromises(): Promise<void> {
  for (let step = 0; step < 10; step += 1) await Promise.resolve();
}

test('a paced semaphore grants one permit in each turn of the event loop', async () => {
  const semaphore = new Semaphore({ permits: 10, maxQueue: 10, isPaced: true });
  let granted = 0;
  const all = Array.from({ length: 5 }, async () => {
    await semaphore.acquire();
    granted += 1;
  });
  const seen: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    await settlePromises();
    seen.push(granted);
    await nextTurn();
  }
  await Promise.all(all);
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

test('a client holds no more permits than its limit, and others take the rest', async () => {
  const semaphore = new Semaphore({ permits: 3, permitsPerClient: 2, maxQueue: 10 });
  const order: string[] = [];
  const start = async (client: string) => {
    await semaphore.acquire({ client });
    order.push(client);
  };
  const busy = Array.from({ length: 4 }, async () => await start('busy'));
  await nextTurn();
  expect(order).toEqual(['busy', 'busy']);
  await start('other');
  const another = start('another');
  semaphore.release('other');
  await another;
  expect(order).toEqual(['busy', 'busy', 'other', 'another']);
  for (const client of ['busy', 'busy', 'another']) semaphore.release(client);
  await Promise.all(busy);
  expect(semaphore.usage).toMatchObject({ running: 2, permits: 3 });
});

test('a client at its limit is refused when the queue is full, and work without a client has no limit', async () => {
  const semaphore = new Semaphore({ permits: 3, permitsPerClient: 1, maxQueue: 0 });
  await semaphore.acquire({ client: 'one' });
  await expect(semaphore.acquire({ client: 'one' })).rejects.toThrow(QueueFull);
  await semaphore.acquire();
  await semaphore.acquire();
});
