import { expect, test } from 'vitest';
import { Pool } from '../../src/concurrency/pool.ts';
import { EngineBusy } from '../../src/engine/engine.ts';
import type { Priority } from '../../src/plan/sql.ts';

const never = new AbortController().signal;
const poolOf = (size: number, longestQueue: number) =>
  new Pool({ kind: 'seat', size, longestQueue, open: (name) => ({ name }) });

test('a resource is lent to one borrower at a time, in the order of asking', async () => {
  const pool = poolOf(1, 10);
  const first = await pool.lend(never);
  const order: number[] = [];
  const waiting = [1, 2, 3].map(async (borrower) => {
    const lease = await pool.lend(never);
    order.push(borrower);
    pool.giveBack(lease);
  });
  expect(pool.isContended).toBe(true);
  expect(order).toEqual([]);
  pool.giveBack(first);
  await Promise.all(waiting);
  expect(order).toEqual([1, 2, 3]);
  expect(pool.isContended).toBe(false);
});

test('resources are opened only when they are needed, and each has its name', async () => {
  const pool = poolOf(3, 0);
  const first = await pool.lend(never);
  const second = await pool.lend(never);
  expect([first.name, second.name]).toEqual(['seat-1', 'seat-2']);
  expect(pool.all()).toHaveLength(2);
  pool.giveBack(second);
  expect(await pool.lend(never)).toBe(second);
});

test('whoever comes when the queue is full is turned away', async () => {
  const pool = poolOf(1, 1);
  const lease = await pool.lend(never);
  const waiting = pool.lend(never);
  await expect(pool.lend(never)).rejects.toThrow(EngineBusy);
  pool.giveBack(lease);
  await waiting;
});

test('whoever leaves the queue makes room and gets nothing', async () => {
  const pool = poolOf(1, 1);
  const lease = await pool.lend(never);
  const leaving = new AbortController();
  const waiting = pool.lend(leaving.signal);
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  expect(pool.isContended).toBe(false);
  pool.giveBack(lease);
  expect(await pool.lend(never)).toBe(lease);
});

test('small things are served before those that begin, these before those that go on, who are not turned away', async () => {
  const pool = poolOf(1, 1);
  const lease = await pool.lend(never);
  const order: string[] = [];
  const wait = async (name: string, rank: Priority) => {
    const waited = await pool.lend(never, rank);
    order.push(name);
    pool.giveBack(waited);
  };
  const all = [
    wait('on 1', 'going on'),
    wait('on 2', 'going on'),
    wait('begin', 'beginning'),
    wait('small', 'small'),
  ];
  pool.giveBack(lease);
  await Promise.all(all);
  expect(order).toEqual(['small', 'begin', 'on 1', 'on 2']);
});

test('a crowd of small things keeps nobody out for ever', async () => {
  const pool = poolOf(1, 100);
  const lease = await pool.lend(never);
  const order: Priority[] = [];
  const wait = async (rank: Priority) => {
    const waited = await pool.lend(never, rank);
    order.push(rank);
    pool.giveBack(waited);
  };
  const all = [wait('going on'), ...Array.from({ length: 50 }, () => wait('small'))];
  pool.giveBack(lease);
  await Promise.all(all);
  expect(order.indexOf('going on')).toBeGreaterThan(0);
  expect(order.indexOf('going on')).toBeLessThan(10);
});

test('a resource that cannot be opened is told to who asked for it, and the next one gets theirs', async () => {
  let isBroken = true;
  const open = (name: string) => {
    if (isBroken) throw new Error('out of seats');
    return { name };
  };
  const pool = new Pool({ kind: 'seat', size: 1, longestQueue: 1, open });
  const first = pool.lend(never);
  const second = pool.lend(never);
  await expect(first).rejects.toThrow('out of seats');
  isBroken = false;
  expect((await second).name).toBe('seat-1');
});
