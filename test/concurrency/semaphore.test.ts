import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { READERS } from '../../src/concurrency/pool.ts';
import { ClickHouseEngine } from '../../src/engine/clickhouse/clickhouse-engine.ts';
import { command, type Priority, type Statement } from '../../src/plan/sql.ts';
import { runningQueries, timeUntil } from '../support/databases/running-queries.ts';
import { ClickHouseServer } from '../support/servers/clickhouse-server.ts';

const never = new AbortController().signal;

const answerOf = (text: string): Statement => ({ ...command(text), rows: { lead: ',\n' } });
const QUICK = answerOf("SELECT ',\\n', 'x'");
const SHORT = answerOf("SELECT ',\\n', toString(sleepEachRow(0.1))");
/** Runs for an hour without a byte to show for it, and costs nothing. */
const ENDLESS = answerOf(
  "SELECT ',\\n', toString(sleepEachRow(0.1)) FROM numbers(36000) SETTINGS max_block_size = 1",
);

let directory: string;
let server: ClickHouseServer;
let engine: ClickHouseEngine;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clickhouse-turns-'));
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

/** Begins so many answers that end only when they are stopped, and waits until the first ones run. */
async function occupy(count: number): Promise<() => Promise<void>> {
  const leaving = new AbortController();
  const reads = Array.from({ length: count }, async () => await read(ENDLESS, leaving.signal));
  const ended = Promise.allSettled(reads);
  const running = Math.min(count, READERS.size);
  await timeUntil(engine, (queries) => queries.length === running, 10_000);
  return async () => {
    leaving.abort();
    await ended;
  };
}

test('a server is asked as many questions at a time as there are turns', async () => {
  const leave = await occupy(5 * READERS.size);
  for (let look = 0; look < 20; look += 1) {
    expect(await runningQueries(engine)).toHaveLength(READERS.size);
  }
  await leave();
});

test('questions that wait are all answered', async () => {
  const answers = Array.from({ length: 5 * READERS.size }, async () => await read(SHORT));
  expect(await Promise.all(answers)).toEqual(answers.map(() => ',\n0'));
  expect(engine.isContended).toBe(false);
});

test('whoever comes when the queue is full is turned away, unless their answer has begun', async () => {
  const leave = await occupy(READERS.size + READERS.longestQueue);
  const leaving = new AbortController();
  expect(engine.isContended).toBe(true);
  await expect(read(QUICK)).rejects.toMatchObject({ name: 'EngineBusy' });
  const goingOn = read({ ...QUICK, rank: 'going on' }, leaving.signal);
  expect(await engine.rows(command('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  expect(await read(command("SELECT 'own affairs'"))).toBe('own affairs');
  await leave();
  expect(await goingOn).toBe(',\nx');
  expect(await timeUntil(engine, (queries) => queries.length === 0, 10_000)).toBeLessThan(1000);
  expect(await read(QUICK)).toBe(',\nx');
});

test('whoever goes on waits behind those who begin', async () => {
  const leave = await occupy(READERS.size - 1);
  const last = new AbortController();
  const longest = read(ENDLESS, last.signal).catch(() => undefined);
  await timeUntil(engine, (queries) => queries.length === READERS.size, 10_000);
  const order: string[] = [];
  const ask = async (rank: Priority) => {
    await read({ ...QUICK, rank });
    order.push(rank);
  };
  const reads = [ask('going on'), ask('beginning'), ask('small')];
  last.abort();
  await Promise.all([longest, ...reads]);
  expect(order).toEqual(['small', 'beginning', 'going on']);
  await leave();
});

test('a question that fails gives its turn back', async () => {
  const faulty = answerOf('SELECT nothing FROM nowhere');
  for (let round = 0; round < 3 * READERS.size; round += 1) {
    await expect(read(faulty)).rejects.toMatchObject({ number: 60 });
  }
  expect(await read(QUICK)).toBe(',\nx');
  await server.kill();
  for (let round = 0; round < 3 * READERS.size; round += 1) {
    await expect(read(QUICK)).rejects.toMatchObject({ isPassing: true });
  }
  server = await ClickHouseServer.start(directory, Number(new URL(server.url).port));
  expect(await read(QUICK)).toBe(',\nx');
});
