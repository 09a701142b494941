import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../../src/plan/sql.ts';
import type { Reader } from '../../src/store/engine.ts';
import { insertManySales, MANY_SALES } from '../support/many-sales.ts';
import { runningQueries, timeUntil } from '../support/running-queries.ts';
import { startService, type TestService } from '../support/service.ts';

const ROWS = 100_000;
const path = `/api/admin/transactions?${MANY_SALES}`;

/** A question that keeps the engine busy for minutes without a row to show for it. */
const FRUITLESS = command('SELECT toString(number) FROM numbers(1e12) WHERE sipHash64(number) = 1');

let service: TestService;
let token: string;
let isFruitless = false;

beforeAll(async () => {
  service = await startService({
    parts: (parts) => ({ ...parts, reader: orFruitless(parts.reader) }),
  });
  token = await service.token({});
  await insertManySales(service.database.engine, ROWS);
});

afterAll(async () => await service.close());

const orFruitless = (reader: Reader): Reader => ({
  rows: (statement) => reader.rows(statement),
  read: (statement, signal) => reader.read(isFruitless ? FRUITLESS : statement, signal),
});

/** Begins a download and leaves: at once, after the headers or in the body, after so many milliseconds. */
async function leave(after: number): Promise<void> {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = fetch(service.url + path, { headers, signal: leaving.signal });
  const body = response.then(async (answer) => await answer.text());
  await Promise.race([sleep(after), body.catch(() => undefined)]);
  leaving.abort();
  await body.catch(() => undefined);
}

const isIdle = (queries: readonly string[]): boolean => queries.length === 0;
const isBusy = (queries: readonly string[]): boolean => queries.length > 0;

test('a client that leaves in mid-download frees the engine within a second', async () => {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(service.url + path, { headers, signal: leaving.signal });
  expect(response.status).toBe(200);
  expect(isBusy(await runningQueries(service.database.engine))).toBe(true);
  leaving.abort();
  expect(await timeUntil(service.database.engine, isIdle, 10_000)).toBeLessThan(1000);
});

test('a client that leaves while the engine finds nothing frees it within a second', async () => {
  isFruitless = true;
  const left = leave(500);
  await timeUntil(service.database.engine, isBusy, 5000);
  await left;
  const time = await timeUntil(service.database.engine, isIdle, 10_000);
  isFruitless = false;
  expect(time).toBeLessThan(1000);
});

test('a client that left is no failure of the service', async () => {
  const logged = service.log.length;
  await Promise.all([leave(0), leave(5), leave(50)]);
  isFruitless = true;
  await leave(300);
  isFruitless = false;
  await timeUntil(service.database.engine, isIdle, 5000);
  expect(service.log.slice(logged).filter((line) => JSON.parse(line).level > 30)).toEqual([]);
});

test('200 clients that leave harm nobody else and leave nothing behind', {
  timeout: 60_000,
}, async () => {
  const staying = Array.from({ length: 8 }, async () => {
    const response = await service.get(path, token);
    return ((await response.json()) as unknown[]).length;
  });
  const leaving = Array.from({ length: 200 }, async (_, at) => await leave((at * 37) % 2000));
  await Promise.all(leaving);
  expect(await Promise.all(staying)).toEqual(Array.from({ length: 8 }, () => ROWS));
  expect(await timeUntil(service.database.engine, isIdle, 10_000)).toBeLessThan(1000);
  expect(await (await service.get(path, token)).json()).toHaveLength(ROWS);
});
