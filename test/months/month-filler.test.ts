import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reader } from '../../src/engine/engine.ts';
import { MonthCache } from '../../src/months/month-cache.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { planWith } from '../support/requests/plans.ts';
import { startService, type TestService } from '../support/requests/service.ts';

const KIBIBYTE = 1024;
const at = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000;

let service: TestService;

beforeAll(async () => {
  service = await startService({ timeZone: 'UTC', settings: { memoryCache: 0 } });
  for (const [id, month] of [1, 2].entries()) {
    await service.database.engine.execute(
      plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, subid, created_at, updated_at)
SELECT 'sales', ${id * 2500} + number, 1, 1, 1, arrayStringConcat(arrayMap(n -> hex(cityHash64(number, n)), range(20))), at, at FROM (
  SELECT number, toDateTime('2026-0${month}-01 00:00:00', 'UTC') + number * 900 AS at FROM numbers(2500))`),
    );
  }
});

afterAll(async () => await service.close());

const pageOf = async (cache: MonthCache, from: string, until: string) =>
  await cache.page(
    planWith({
      role: 'affiliate',
      from: at(from),
      until: at(until),
      publisherIds: [1],
      limit: 100,
    }),
  );

test('a requested month is read, and replaces a newer one that nobody asked for', async () => {
  // Room for one month of the affiliates' records.
  const cache = new MonthCache(service.database.engine, 600 * KIBIBYTE);
  const january = async () => await pageOf(cache, '2026-01-01', '2026-02-01');
  const february = async () => await pageOf(cache, '2026-02-01', '2026-02-20');
  cache.start();
  await cache.settled();
  expect(await january()).toBeUndefined();
  await cache.settled();
  expect(await january()).toBeDefined();
  expect(await february()).toBeUndefined();
  await cache.settled();
  expect(await january()).toBeDefined();
  await cache.close();
});

/** A cache of `capacity` bytes, and the statements with which it reads months. */
function recordedCache(capacity: number) {
  const { engine } = service.database;
  const statements: string[] = [];
  const reader: Reader = {
    get versions() {
      return engine.versions;
    },
    rows: (statement) => engine.rows(statement),
    read: (statement, signal) => {
      statements.push(JSON.stringify(statement));
      return engine.read(statement, signal);
    },
  };
  const cache = new MonthCache(reader, capacity);
  cache.start();
  return { cache, statements };
}

test('a month that an import has made larger than the cache is not read again', async () => {
  const insert = async (rows: number) =>
    await service.database.engine.execute(
      plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, created_at, updated_at)
SELECT 'sales', 100000 + number, 1, 1, 1, at, at FROM (
  SELECT number, toDateTime('2026-03-01 00:00:00', 'UTC') + number AS at FROM numbers(${rows}))`),
    );
  const { cache, statements } = recordedCache(100 * KIBIBYTE);
  const march = async () => await pageOf(cache, '2026-03-01', '2026-03-02');
  await insert(10);
  await cache.settled();
  expect(await march()).toMatchObject({ rows: 10 });
  statements.length = 0;
  await insert(50_000);
  await cache.settled();
  expect(await march()).toBeUndefined();
  await cache.settled();
  expect(statements).toEqual([]);
  await cache.close();
});

test('a month that turns out to be larger than the cache is given up, and not tried again', async () => {
  // More than is expected of the 2500 rows of a month, and less than they take.
  const { cache, statements } = recordedCache(375 * KIBIBYTE);
  const january = async () => await pageOf(cache, '2026-01-01', '2026-02-01');
  await cache.settled();
  expect(await january()).toBeUndefined();
  await cache.settled();
  expect(await january()).toBeUndefined();
  const ofJanuary = statements.filter((statement) => statement.includes('"202601"'));
  expect(ofJanuary).toHaveLength(2);
  expect(new Set(ofJanuary).size).toBe(2);
  await cache.close();
});
