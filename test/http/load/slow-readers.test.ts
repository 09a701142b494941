import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertManySales, MANY_SALES } from '../../support/databases/many-sales.ts';
import { runningQueries } from '../../support/databases/running-queries.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { inFull } from '../../support/run/test-extent.ts';

const ROWS = inFull(250_000, 60_000);
const READERS = inFull(8, 3);
const path = `/api/admin/transactions?${MANY_SALES}`;
const MEGABYTE = 2 ** 20;

/** Megabytes. What a process holds is no measure where little is read. */
const MOST_GROWTH = inFull(300, Number.POSITIVE_INFINITY);

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService();
  token = await service.token({});
  await insertManySales(service.database.engine, ROWS);
});

afterAll(async () => await service.close());

async function download(): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}` };
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  get(service.url + path, { headers, agent: false }, resolve);
  return await promise;
}

const memory = (): number => process.memoryUsage().rss / MEGABYTE;

/** Megabytes that the process grows by at most while something happens. */
async function growthDuring(happening: Promise<unknown>): Promise<number> {
  const before = memory();
  let most = before;
  const looks = setInterval(() => {
    most = Math.max(most, memory());
  }, 50);
  await happening;
  clearInterval(looks);
  return most - before;
}

/** Reads so many bytes, a little at a time. */
async function readSlowly(response: IncomingMessage, bytes: number): Promise<void> {
  let rest = bytes;
  for await (const chunk of response) {
    rest -= chunk.length;
    if (rest < 0) break;
    await sleep(20);
  }
}

async function rowsOf(response: IncomingMessage): Promise<number> {
  let rows = 0;
  let last = '';
  for await (const chunk of response) {
    const text: string = last + chunk.toString('latin1');
    rows += text.split('\n{"').length - 1;
    last = text.slice(-2);
  }
  return rows;
}

test('a fast reader gets all of an answer that is larger than what readers may cost', async () => {
  expect(await rowsOf(await download())).toBe(ROWS);
});

test('slow readers hold the engine back instead of filling the memory', async () => {
  const slow = Promise.all(
    Array.from(
      { length: READERS },
      async () => await readSlowly(await download(), inFull(8, 1) * MEGABYTE),
    ),
  );
  // All that they were promised are 1.5 gigabytes.
  expect(await growthDuring(slow)).toBeLessThan(MOST_GROWTH);
});

test('readers that stall for seconds let go of the engine, and then get the rest', async () => {
  const responses = await Promise.all(Array.from({ length: READERS }, download));
  expect(await growthDuring(sleep(inFull(4000, 500)))).toBeLessThan(MOST_GROWTH);
  const running = async () => await runningQueries(service.database.engine);
  await expect.poll(running).toEqual([]);
  for (const response of responses) expect(await rowsOf(response)).toBe(ROWS);
});
