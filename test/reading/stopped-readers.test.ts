import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainStatement } from '../../src/plan/sql.ts';
import { openTestEngine, type TestEngine } from '../support/databases/engine.ts';
import { insertManySales } from '../support/databases/inserted/many-sales.ts';
import { runningQueries } from '../support/databases/running-queries.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

const BYTES = 20_000_000;
const ROUNDS = fullOrShort(60, 6);
const LONG = plainStatement(`SELECT repeat('x', 100) FROM numbers(${BYTES / 100})`);

const REPORT = {
  ...plainStatement(`SELECT ',', record_head, record_tail FROM transactions FINAL
WHERE type = 'sales' ORDER BY type, created_at, transaction_id`),
  boundaries: { lead: ',' },
};

const never = new AbortController().signal;

let database: TestEngine;

beforeAll(async () => {
  database = await openTestEngine();
});

afterAll(async () => await database.close());

/** Reads to the end and counts the bytes. Rejects if the query fails or is aborted. */
async function readBytes(signal: AbortSignal): Promise<number> {
  let bytes = 0;
  for await (const block of database.engine.read(LONG, signal)) bytes += block.length;
  return bytes;
}

/** Reads for a number of milliseconds. */
async function readAndAbort(after: number): Promise<string> {
  const leaving = new AbortController();
  const read = readBytes(leaving.signal).then(
    () => 'ended',
    (error: Error) => error.name,
  );
  await sleep(after);
  leaving.abort();
  return await read;
}

test('an aborted read fails with the abort and no other error', async () => {
  const ends = await Promise.all(
    Array.from({ length: fullOrShort(100, 40) }, async (_, at) => await readAndAbort(at)),
  );
  expect(new Set([...ends, 'ended', 'AbortError'])).toEqual(new Set(['ended', 'AbortError']));
  expect(ends).toContain('AbortError');
});

test('an abort does not stop the next query in the same session', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const aborted = await Promise.all([readAndAbort(round % 10), readAndAbort(round % 7)]);
    expect(aborted).not.toContain('EngineFailure');
    // The session that was released last is leased first.
    const next = [readBytes(never), readBytes(never)];
    expect(await Promise.all(next)).toEqual([BYTES, BYTES]);
  }
});

test('leaving the loop leaves no query behind', async () => {
  for await (const _ of database.engine.read(LONG, never)) break;
  expect(await runningQueries(database.engine)).toEqual([]);
});

test('a query that is killed while its reader leaves does not stay behind', async () => {
  await insertManySales(database.engine, 50_000);
  for (let round = 0; round < ROUNDS; round += 1) {
    const leaving = new AbortController();
    const blocks = database.engine.read(REPORT, leaving.signal)[Symbol.asyncIterator]();
    await blocks.next();
    leaving.abort();
    await sleep(round % 6);
    await blocks.return?.();
    expect(await runningQueries(database.engine)).toEqual([]);
  }
});

const WRITING = 'INSERT INTO FUNCTION null() SELECT';

test('a statement that fails leaves no query behind', async () => {
  const failing = plainStatement(`${WRITING} throwIf(number = 100000) FROM numbers(200000)`);
  await expect(database.engine.execute(failing)).rejects.toThrow('FUNCTION_THROW_IF');
  expect(await runningQueries(database.engine)).toEqual([]);
});

test('a statement that is stopped leaves no query behind', async () => {
  const endless = plainStatement(`${WRITING} number FROM numbers(1000000000000)`);
  const running = database.engine.execute(endless, { signal: AbortSignal.timeout(200) });
  await expect(running).rejects.toThrow('timeout');
  expect(await runningQueries(database.engine)).toEqual([]);
});
