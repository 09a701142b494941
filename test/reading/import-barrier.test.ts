import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Reader } from '../../src/engine/engine.ts';
import { publishAtomically } from '../../src/ingest/staging/publishing.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { BarrierReader } from '../../src/reading/import-barrier.ts';
import { openTestEngine, type TestEngine } from '../support/databases/engine.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { withinMs } from '../support/run/test-extent.ts';

const never = new AbortController().signal;
const QUESTION = plainStatement('SELECT count() AS read');

let database: TestEngine;
/** How often the barrier has checked whether an import is being published. */
let checks: number;
/** The number of queries that were run. */
let readings: number;
/** Milliseconds until a query starts. */
let slowness: number;
/** Milliseconds by which the first, second and third query advance a clock that was stopped. */
let passing: number[];
let barrier: BarrierReader;

beforeAll(async () => {
  database = await openTestEngine();
});

afterAll(async () => await database.close());

beforeEach(async () => {
  await database.run('TRUNCATE TABLE imports');
  checks = 0;
  readings = 0;
  slowness = 0;
  passing = [];
  barrier = new BarrierReader(watched(database.engine));
});

afterEach(() => {
  vi.useRealTimers();
});

/** Replaces the clock of the barrier by one that the test advances. */
function stopTheClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(1);
}

async function pass(): Promise<void> {
  await sleep(slowness);
  const milliseconds = passing.shift();
  if (milliseconds !== undefined) vi.advanceTimersByTime(milliseconds);
}

const watched = (reader: Reader): Reader => ({
  async *read(statement, signal) {
    readings += 1;
    await pass();
    yield* reader.read(statement, signal);
  },
  async rows(statement) {
    if (statement.isAggregation) readings += 1;
    else checks += 1;
    if (statement.isAggregation) await pass();
    return await reader.rows(statement);
  },
});

/** What the barrier delays: lists and counts. */
const DELAYED = [
  ['a list', async () => await Array.fromAsync(barrier.read(QUESTION, never))],
  [
    'a count',
    async () => await barrier.rows(select(ANY_ROW, { ...QUESTION, isAggregation: true })),
  ],
] as const;

/** Writes the state of an import, as if its process had written it `secondsAgo`. */
const note = async (state: 'publishing' | 'done', secondsAgo = 0) =>
  await database.run(
    `INSERT INTO imports SELECT 'a', '${state}', now64(3, 'UTC') - INTERVAL ${Math.round(secondsAgo * 1000)} MILLISECOND`,
  );

/** Milliseconds until a response. */
async function timeToRead(read: () => Promise<unknown> = DELAYED[0][1]): Promise<number> {
  const started = performance.now();
  expect(await read()).toHaveLength(1);
  return performance.now() - started;
}

test('a query does not wait when nothing is published', async () => {
  await note('done');
  expect(await timeToRead()).toBeLessThan(withinMs(500));
});

test.each(DELAYED)('%s waits until the import is published', async (_, read) => {
  await note('publishing');
  const reading = timeToRead(read);
  await sleep(600);
  expect(readings).toBe(0);
  await note('done');
  expect(await reading).toBeGreaterThan(550);
});

test('lookups are answered while an import is published', async () => {
  await note('publishing');
  expect(await barrier.rows(select(ANY_ROW, QUESTION))).toHaveLength(1);
});

test('a query that arrives during the wait waits too', async () => {
  await note('publishing');
  const first = timeToRead();
  await sleep(400);
  const second = timeToRead();
  await sleep(400);
  expect(readings).toBe(0);
  await note('done');
  await Promise.all([first, second]);
  expect(readings).toBe(2);
});

test('the barrier is checked once a second', async () => {
  stopTheClock();
  for (let reading = 0; reading < 50; reading += 1) await timeToRead();
  expect(checks).toBe(1);
  vi.advanceTimersByTime(1050);
  await timeToRead();
  expect(checks).toBe(2);
});

test('concurrent queries share one check', async () => {
  stopTheClock();
  await Promise.all(Array.from({ length: 20 }, async () => await timeToRead()));
  expect({ checks, readings }).toEqual({ checks: 1, readings: 20 });
});

test('a publication that has made no progress for a long time counts as abandoned', async () => {
  await note('publishing', 29);
  const waited = await timeToRead();
  expect(waited).toBeGreaterThan(300);
  expect(waited).toBeLessThan(withinMs(3000));
});

test('no query begins during a publication, however long it takes', async () => {
  const engine = watchedEngine(
    database.engine,
    async (server, statement, watch) => await server.execute(statement, watch),
    { isShared: true },
  );
  const topology = { cluster: { name: 'two servers', isReplicated: false } };
  const nodes = { engine, servers: [engine, engine], topology };
  const waiting: Promise<number>[] = [];
  const publishAll = async () => {
    await database.run('TRUNCATE TABLE imports');
    await note('publishing', 26);
    waiting.push(timeToRead());
    await sleep(4500);
    expect(readings).toBe(0);
  };
  await publishAtomically(nodes, { id: 'a' }, publishAll, 100);
  await Promise.all(waiting);
  expect(await database.rows('SELECT state FROM imports FINAL')).toEqual([{ state: 'done' }]);
});

test('a failed check fails its query, and the next query checks again', async () => {
  await database.run('RENAME TABLE imports TO away');
  await expect(timeToRead()).rejects.toMatchObject({ name: 'EngineFailure' });
  await database.run('RENAME TABLE away TO imports');
  await timeToRead();
  expect({ checks, readings }).toEqual({ checks: 2, readings: 1 });
});

test.each(DELAYED)(
  '%s is read again if an import may have been published meanwhile',
  async (_, read) => {
    slowness = 2500;
    const reading = timeToRead(read);
    await sleep(300);
    await note('publishing');
    await sleep(300);
    slowness = 0;
    await note('done');
    await reading;
    expect(readings).toBe(2);
  },
);

/** Milliseconds of a reading that takes little longer than every process needs to notice a publication. */
const READING = 2050;

/**
 * Seconds. A little longer ago than one and a half readings, and four seconds less than a reading and the tolerance for
 * clocks: the engine's clock goes on while that of the barrier is stopped.
 */
const LONG_AGO = 3.1;

test.each(DELAYED)(
  '%s is read again if a server marked the import with a clock that is behind',
  async (_, read) => {
    await note('done', LONG_AGO);
    stopTheClock();
    passing = [READING];
    await read();
    expect(readings).toBe(2);
  },
);

test.each(DELAYED)('%s is not read again if nothing was published meanwhile', async (_, read) => {
  await note('done', 60);
  stopTheClock();
  slowness = 300;
  const reading = timeToRead(read);
  await expect.poll(() => readings).toBe(1);
  vi.advanceTimersByTime(2500);
  await reading;
  expect(readings).toBe(1);
});

test.each(DELAYED)('%s is refused if imports overtake it three times', async (_, read) => {
  await note('done');
  stopTheClock();
  slowness = 50;
  const clock = setInterval(() => vi.advanceTimersByTime(2500), 10);
  try {
    await expect(read()).rejects.toMatchObject({ name: 'EngineBusy' });
    expect(readings).toBe(3);
  } finally {
    clearInterval(clock);
  }
});

test.each(DELAYED)(
  '%s is not refused because of one import before its first reading',
  async (_, read) => {
    await note('done', LONG_AGO);
    stopTheClock();
    passing = [READING, READING, READING];
    expect(await read()).toHaveLength(1);
    expect(readings).toBe(3);
  },
);

test('a query that is aborted during the wait is not run', async () => {
  await note('publishing');
  const leaving = new AbortController();
  const reading = Array.fromAsync(barrier.read(QUESTION, leaving.signal));
  leaving.abort();
  await note('done');
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  expect(readings).toBe(0);
});
