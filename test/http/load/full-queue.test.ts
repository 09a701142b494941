import { afterAll, beforeAll, expect } from 'vitest';
import type { Reader } from '../../../src/engine/engine.ts';
import { QUERY_LIMITS } from '../../../src/engine/query-limits.ts';
import { plainStatement, type Statement } from '../../../src/plan/sql.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { runningQueries } from '../../support/databases/running-queries.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { testInFull as test } from '../../support/run/test-in-full.ts';

// Only in the full run. In `npm test`, test/concurrency tests the queue, and every-failure.test.ts the refusal.

const ROWS = 1000;
const path = `/api/admin/transactions?${MANY_SALES}`;

/** Runs for an hour with hardly any load, and so occupies one of the places for running queries. */
const ENDLESS: Statement = {
  ...plainStatement(
    "SELECT ',\\n', toString(sleepEachRow(0.1)) FROM numbers(36000) SETTINGS max_block_size = 1",
  ),
  boundaries: { lead: ',\n' },
};

let service: TestService;
let token: string;
let isEndless = false;
/** The number of queries that reached the engine. */
let asked = 0;

beforeAll(async () => {
  service = await startService({
    store: 'server',
    parts: (parts) => ({ ...parts, reader: orEndless(parts.reader) }),
  });
  token = await service.token({});
  await insertManySales(service.database.engine, ROWS);
});

afterAll(async () => await service.close());

const orEndless = (reader: Reader): Reader => ({
  rows: (statement) => reader.rows(statement),
  read(statement, signal) {
    asked += 1;
    return reader.read(isEndless ? ENDLESS : statement, signal);
  },
});

const ask = async () =>
  await send(service.url, { target: path, headers: [`Authorization: Bearer ${token}`] });

test('queries beyond the limit of a server are refused until the queue has space again', async () => {
  isEndless = true;
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const waiting = Array.from(
    { length: QUERY_LIMITS.list.size + QUERY_LIMITS.list.maxQueue },
    async () => {
      await fetch(service.url + path, { headers, signal: leaving.signal });
    },
  );
  const left = Promise.allSettled(waiting);
  await expect.poll(() => asked).toBe(waiting.length);
  const answer = await ask();
  expectProblem(answer, 'busy');
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect((await service.get('/health/ready')).status).toBe(200);
  isEndless = false;
  leaving.abort();
  await left;
  await expect.poll(async () => await runningQueries(service.database.engine)).toEqual([]);
  expect(JSON.parse((await ask()).body)).toHaveLength(ROWS);
});
