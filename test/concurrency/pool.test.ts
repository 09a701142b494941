import { expect, test } from 'vitest';
import { Pool } from '../../src/concurrency/pool.ts';
import { mostOvertaken, PRIORITIES, type Priority } from '../../src/concurrency/priority-queue.ts';
import { QueueFull } from '../../src/concurrency/semaphore.ts';
import { fc } from '../support/run/properties.ts';

const poolOf = (size: number, maxQueue: number) =>
  new Pool({ name: 'seat', size, maxQueue, open: (name) => ({ name }) });

/** The order in which a pool of one resource serves callers that arrive at the same time. */
async function orderOf<Caller extends { readonly priority: Priority }>(
  callers: readonly Caller[],
): Promise<readonly Caller[]> {
  const pool = poolOf(1, callers.length);
  const held = await pool.acquire();
  const order: Caller[] = [];
  const all = callers.map(async (caller) => {
    const lease = await pool.acquire({ priority: caller.priority });
    order.push(caller);
    pool.release(lease);
  });
  pool.release(held);
  await Promise.all(all);
  return order;
}

test('a resource has one user at a time, in the order of arrival', async () => {
  const pool = poolOf(1, 10);
  const first = await pool.acquire();
  const order: number[] = [];
  const waiting = [1, 2, 3].map(async (caller) => {
    const lease = await pool.acquire();
    order.push(caller);
    pool.release(lease);
  });
  expect(pool.isContended).toBe(true);
  expect(order).toEqual([]);
  pool.release(first);
  await Promise.all(waiting);
  expect(order).toEqual([1, 2, 3]);
  expect(pool.isContended).toBe(false);
});

test('resources are opened when they are first needed, and each has its own name', async () => {
  const pool = poolOf(3, 0);
  const first = await pool.acquire();
  const second = await pool.acquire();
  expect([first.name, second.name]).toEqual(['seat-1', 'seat-2']);
  expect(pool.all()).toHaveLength(2);
  pool.release(second);
  expect(await pool.acquire()).toBe(second);
});

test('a caller is refused when the queue is full', async () => {
  const pool = poolOf(1, 1);
  const lease = await pool.acquire();
  const waiting = pool.acquire();
  await expect(pool.acquire()).rejects.toThrow(QueueFull);
  pool.release(lease);
  await waiting;
});

test('a caller that leaves the queue takes no resource', async () => {
  const pool = poolOf(1, 1);
  const lease = await pool.acquire();
  const leaving = new AbortController();
  const waiting = pool.acquire({ signal: leaving.signal });
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  expect(pool.isContended).toBe(false);
  pool.release(lease);
  expect(await pool.acquire()).toBe(lease);
});

test('a failure to open reaches its caller, and the next caller tries again', async () => {
  let isBroken = true;
  const open = (name: string) => {
    if (isBroken) throw new Error('out of seats');
    return { name };
  };
  const pool = new Pool({ name: 'seat', size: 1, maxQueue: 1, open });
  const first = pool.acquire();
  const second = pool.acquire();
  await expect(first).rejects.toThrow('out of seats');
  isBroken = false;
  expect((await second).name).toBe('seat-1');
});

test.each(PRIORITIES)('%s work is served while both other priorities always wait', async (rare) => {
  const crowd = PRIORITIES.filter((each) => each !== rare);
  const waiting = Array.from({ length: 100 }, (_, at) => crowd[at % 2] ?? rare);
  const order = await orderOf([...waiting, rare].map((priority) => ({ priority })));
  const at = order.findIndex(({ priority }) => priority === rare);
  expect(at).toBeLessThanOrEqual(mostOvertaken(rare));
});

test('no priority starves, whatever arrives', async () => {
  const arrivals = fc.array(fc.constantFrom(...PRIORITIES), { minLength: 60, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(arrivals, async (priorities) => {
      const order = await orderOf(priorities.map((priority) => ({ priority })));
      expect(order).toHaveLength(priorities.length);
      for (const priority of PRIORITIES) {
        const served = order.flatMap((caller, at) => (caller.priority === priority ? [at] : []));
        const waits = served.map((at, nth) => at - (served[nth - 1] ?? -1) - 1);
        expect(Math.max(0, ...waits)).toBeLessThanOrEqual(mostOvertaken(priority));
      }
    }),
  );
});
