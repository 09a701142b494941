import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Priority } from '../../src/concurrency/priority-queue.ts';
import { ClickHouseEngine } from '../../src/engine/clickhouse/clickhouse-engine.ts';
import { QUERY_LIMITS } from '../../src/engine/query-limits.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement, type Statement } from '../../src/plan/sql.ts';
import { runningQueries, timeUntil } from '../support/databases/running-queries.ts';
import { withinMs } from '../support/run/test-extent.ts';
import { testInFull as test } from '../support/run/test-in-full.ts';
import { ClickHouseServer } from '../support/servers/clickhouse-server.ts';

// Only in the full run. In `npm test`, test/concurrency tests the queue and its limits, and every-failure.test.ts
// tests the refusal.

const never = new AbortController().signal;

const statementOf = (text: string): Statement => ({
  ...plainStatement(text),
  boundaries: { lead: ',\n' },
});
const QUICK = statementOf("SELECT ',\\n', 'x'");
const SHORT = statementOf("SELECT ',\\n', toString(sleepEachRow(0.1))");
/** Runs for an hour without sending a byte. */
const ENDLESS = statementOf(
  "SELECT ',\\n', toString(sleepEachRow(0.1)) FROM numbers(36000) SETTINGS max_block_size = 1",
);

let directory: string;
let server: ClickHouseServer;
let engine: ClickHouseEngine;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'query-limits-'));
  server = await ClickHouseServer.start(directory);
  const hosts = [server.url];
  engine = new ClickHouseEngine({ hosts, username: 'default', password: '', database: 'default' });
});

afterAll(async () => {
  await engine.close();
  await server.kill();
  await rm(directory, { recursive: true, force: true });
});

const read = async (statement: Statement, signal = never) =>
  Buffer.concat(await Array.fromAsync(engine.read(statement, signal))).toString();

/** Starts queries and waits until as many run as the limit allows. Returns a function that stops them. */
async function occupy(count: number): Promise<() => Promise<void>> {
  const leaving = new AbortController();
  const reads = Array.from({ length: count }, async () => await read(ENDLESS, leaving.signal));
  const ended = Promise.allSettled(reads);
  const running = Math.min(count, QUERY_LIMITS.list.size);
  await timeUntil(engine, (queries) => queries.length === running, withinMs(10_000));
  return async () => {
    leaving.abort();
    await ended;
  };
}

test('a server runs at most as many queries at a time as its limit', async () => {
  const leave = await occupy(5 * QUERY_LIMITS.list.size);
  for (let look = 0; look < 20; look += 1) {
    expect(await runningQueries(engine)).toHaveLength(QUERY_LIMITS.list.size);
  }
  await leave();
});

test('queries that wait are all answered', async () => {
  const answers = Array.from({ length: 5 * QUERY_LIMITS.list.size }, async () => await read(SHORT));
  expect(await Promise.all(answers)).toEqual(answers.map(() => ',\n0'));
  expect(engine.isContended).toBe(false);
});

test('a query is refused when the queue is full, unless it resumes a response', async () => {
  const leave = await occupy(QUERY_LIMITS.list.size + QUERY_LIMITS.list.maxQueue);
  const leaving = new AbortController();
  expect(engine.isContended).toBe(true);
  await expect(read(QUICK)).rejects.toMatchObject({ name: 'EngineBusy' });
  const resumed = read({ ...QUICK, priority: 'resumed' }, leaving.signal);
  expect(await engine.rows(select(ANY_ROW, plainStatement('SELECT 1 AS one')))).toEqual([
    { one: 1 },
  ]);
  expect(await read(plainStatement("SELECT 'a lookup'"))).toBe('a lookup');
  await leave();
  expect(await resumed).toBe(',\nx');
  expect(await timeUntil(engine, (queries) => queries.length === 0, withinMs(10_000))).toBeLessThan(
    withinMs(1000),
  );
  expect(await read(QUICK)).toBe(',\nx');
});

test('resumed work waits behind new work', async () => {
  const leave = await occupy(QUERY_LIMITS.list.size - 1);
  const last = new AbortController();
  const longest = read(ENDLESS, last.signal).catch(() => undefined);
  await timeUntil(engine, (queries) => queries.length === QUERY_LIMITS.list.size, withinMs(10_000));
  const order: string[] = [];
  const ask = async (priority: Priority) => {
    await read({ ...QUICK, priority });
    order.push(priority);
  };
  const reads = [ask('resumed'), ask('new'), ask('small')];
  last.abort();
  await Promise.all([longest, ...reads]);
  expect(order).toEqual(['small', 'new', 'resumed']);
  await leave();
});

test('a query that fails makes room for the next one', async () => {
  const faulty = statementOf('SELECT nothing FROM nowhere');
  for (let round = 0; round < 3 * QUERY_LIMITS.list.size; round += 1) {
    await expect(read(faulty)).rejects.toMatchObject({ number: 60 });
  }
  expect(await read(QUICK)).toBe(',\nx');
  await server.kill();
  for (let round = 0; round < 3 * QUERY_LIMITS.list.size; round += 1) {
    await expect(read(QUICK)).rejects.toMatchObject({ isTransient: true });
  }
  server = await ClickHouseServer.start(directory, Number(new URL(server.url).port));
  expect(await read(QUICK)).toBe(',\nx');
});
