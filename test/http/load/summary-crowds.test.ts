import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EngineFailure, type Reader } from '../../../src/engine/engine.ts';
import { plainStatement, type Statement } from '../../../src/plan/sql.ts';
import { ENDLESS } from '../../support/databases/endless-query.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { runningQueries, timeUntil } from '../../support/databases/running-queries.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort, IS_FULL, withinMs } from '../../support/run/test-extent.ts';

const ROWS = fullOrShort(50_000, 20_000);
const GROUPS = fullOrShort(100_000, 30_000);
const CROWD = fullOrShort(200, 20);
const path = `/api/admin/transactions/summary?${MANY_SALES}&group_by=publisher_id`;

const ENDLESS_SUMMARY: Statement = { ...ENDLESS, isAggregation: true };

const STORES = TESTED_STORES.filter((store) => store !== 'cluster');

describe.each(STORES)('with the %s engine', (store) => {
  let service: TestService;
  let token: string;
  let isFruitless = false;
  let failures: Error[] = [];

  beforeAll(async () => {
    service = await startService({
      store,
      parts: (parts) => ({ ...parts, reader: orOtherwise(parts.reader) }),
    });
    token = await service.token({});
    await insertManySales(service.database.engine, ROWS, 10);
  });

  afterAll(async () => await service.close());

  const orOtherwise = (reader: Reader): Reader => ({
    rows: (statement) => reader.rows(statement),
    read: (statement, signal) => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return reader.read(isFruitless ? ENDLESS_SUMMARY : statement, signal);
    },
  });

  const summaries = (queries: readonly string[]) =>
    queries.filter((query) => query.includes('groupBitXor'));

  test('many summaries are answered, a few at a time, and lists do not wait for them', async () => {
    let most = 0;
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        most = Math.max(most, summaries(await runningQueries(service.database.engine)).length);
      }
    })();
    const crowd = Array.from({ length: CROWD }, async () => {
      const groups = (await (await service.get(path, token)).json()) as { count: number }[];
      return groups.reduce((sum, { count }) => sum + count, 0);
    });
    const list = `/api/admin/transactions?${MANY_SALES}&limit=10`;
    const started = performance.now();
    expect(await (await service.get(list, token)).json()).toHaveLength(10);
    const listTime = performance.now() - started;
    expect(await Promise.all(crowd)).toEqual(Array.from({ length: CROWD }, () => ROWS));
    if (IS_FULL) expect(listTime).toBeLessThan(performance.now() - started);
    isOver = true;
    await watching;
    expect(most).toBeGreaterThan(0);
    // Few summaries run at once, but a server lists a query for a moment after its response is complete.
    expect(most).toBeLessThan(20);
  });

  test('a client that disconnects stops its summary', async () => {
    isFruitless = true;
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const asked = fetch(service.url + path, { headers, signal: leaving.signal });
    const isBusy = (queries: readonly string[]) => queries.length > 0;
    await timeUntil(service.database.engine, isBusy, withinMs(5000));
    leaving.abort();
    await asked.catch(() => undefined);
    const time = await timeUntil(
      service.database.engine,
      (queries) => !isBusy(queries),
      withinMs(10_000),
    );
    isFruitless = false;
    expect(time).toBeLessThan(withinMs(1000));
  });

  test('a transient failure is not visible to the client', async () => {
    failures = [new EngineFailure('Code: 210. DB::Exception: gone (NETWORK_ERROR)')];
    expect((await service.get(path, token)).status).toBe(200);
    expect(failures).toEqual([]);
  });

  test('a lasting failure is 503, and a failure of the query itself is 500', async () => {
    const ask = async () =>
      await send(service.url, { target: path, headers: [`Authorization: Bearer ${token}`] });
    failures = Array.from({ length: 20 }, () => new EngineFailure('The connection broke.'));
    expectProblem(await ask(), 'database_unavailable');
    failures = [new EngineFailure('Code: 62. DB::Exception: what (SYNTAX_ERROR)')];
    expectProblem(await ask(), 'internal_error');
    failures = [];
  });

  test('a response with many groups is complete', async () => {
    const many = `/api/admin/transactions/summary?${MANY_SALES}&group_by=publisher_id,subid,day&format=csv`;
    await service.database.engine.execute(
      plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, subid, created_at, updated_at)
SELECT 'sales', 1000000 + number, 10, 100, 1, 2, concat(toString(number), repeat('x', 100)), toDateTime(1772350000), toDateTime(1772350000)
FROM numbers(${GROUPS})`),
    );
    const lines = (await (await service.get(many, token)).text()).split('\r\n');
    expect(lines).toHaveLength(GROUPS + 10 + 2);
    expect(lines.at(-1)).toBe('');
  });
});
