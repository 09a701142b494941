import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { command } from '../../src/plan/sql.ts';
import type { Reader } from '../../src/store/engine.ts';
import { GatedReader } from '../../src/store/publishing-gate.ts';
import { openTestEngine, type TestEngine } from '../support/engine.ts';

const never = new AbortController().signal;
const QUESTION = command('SELECT count() AS read');

let database: TestEngine;
/** How often the gate has looked, and how often an answer was begun. */
let looks: number;
let readings: number;
/** Milliseconds that an answer takes to begin. */
let slowness: number;
let gate: GatedReader;

beforeEach(async () => {
  database = await openTestEngine();
  looks = 0;
  readings = 0;
  slowness = 0;
  gate = new GatedReader(watched(database.engine));
});

afterEach(async () => await database.close());

const watched = (reader: Reader): Reader => ({
  async *read(statement, signal) {
    readings += 1;
    await sleep(slowness);
    yield* reader.read(statement, signal);
  },
  async rows(statement) {
    looks += 1;
    return await reader.rows(statement);
  },
});

/** Writes of an import what a publisher would have written so many seconds ago. */
const note = async (state: 'publishing' | 'done', secondsAgo = 0) =>
  await database.run(
    `INSERT INTO imports SELECT 'a', '${state}', now64(3, 'UTC') - INTERVAL ${secondsAgo} SECOND`,
  );

/** Milliseconds until an answer is there. */
async function timeToRead(): Promise<number> {
  const started = performance.now();
  expect(await Array.fromAsync(gate.read(QUESTION, never))).toHaveLength(1);
  return performance.now() - started;
}

test('whoever reads while nothing is published does not wait', async () => {
  await note('done');
  expect(await timeToRead()).toBeLessThan(500);
});

test('whoever reads while an import is published waits for its end', async () => {
  await note('publishing');
  const reading = timeToRead();
  await sleep(600);
  expect(readings).toBe(0);
  await note('done');
  expect(await reading).toBeGreaterThan(550);
});

test('whoever comes while others wait waits with them', async () => {
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

test('an answer that begins at once is not looked for twice within a second', async () => {
  for (let reading = 0; reading < 50; reading += 1) await timeToRead();
  expect(looks).toBe(1);
  await sleep(1050);
  await timeToRead();
  expect(looks).toBe(2);
});

test('readers of the same moment look once', async () => {
  await Promise.all(Array.from({ length: 20 }, timeToRead));
  expect({ looks, readings }).toEqual({ looks: 1, readings: 20 });
});

test('a publisher that is silent for long is taken for dead', async () => {
  await note('publishing', 29);
  const waited = await timeToRead();
  expect(waited).toBeGreaterThan(300);
  expect(waited).toBeLessThan(3000);
});

test('a look that fails is no answer, and the next reader looks again', async () => {
  await database.run('RENAME TABLE imports TO away');
  await expect(timeToRead()).rejects.toMatchObject({ name: 'EngineFailure' });
  await database.run('RENAME TABLE away TO imports');
  await timeToRead();
  expect({ looks, readings }).toEqual({ looks: 2, readings: 1 });
});

test('an answer that waited so long that an import may have been published meanwhile is read again', async () => {
  slowness = 2500;
  const reading = timeToRead();
  await sleep(300);
  await note('publishing');
  await sleep(300);
  slowness = 0;
  await note('done');
  await reading;
  expect(readings).toBe(2);
});

test('an answer that waited long while nothing was published is given as it is', async () => {
  await note('done', 10);
  slowness = 2500;
  await timeToRead();
  expect(readings).toBe(1);
});

test('whoever leaves while an import is published is not answered', async () => {
  await note('publishing');
  const leaving = new AbortController();
  const reading = Array.fromAsync(gate.read(QUESTION, leaving.signal));
  leaving.abort();
  await note('done');
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  expect(readings).toBe(0);
});
