import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reader } from '../../src/engine/engine.ts';
import type { ReportPlan } from '../../src/plan/report-plan.ts';
import { reportStatement } from '../../src/plan/report-statement.ts';
import { command, type Statement } from '../../src/plan/sql.ts';
import { MonthCache } from '../../src/reading/month-cache.ts';
import { planWith } from '../support/requests/plans.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fc, runCount } from '../support/run/properties.ts';

const never = new AbortController().signal;
const at = (text: string): number => Date.parse(`${text}Z`) / 1000;

let service: TestService;

beforeAll(async () => {
  service = await startService({ timeZone: 'Europe/Paris' });
  await insert('1 + number % 4', 4000, '2026-01-01 00:00:00', 3600);
  await insert('9', 5000, '2026-03-01 00:00:00', 60, 100_000);
});

afterAll(async () => await service.close());

/** Sales of websites at even distances, in seconds. */
async function insert(publisher: string, rows: number, first: string, apart: number, id = 0) {
  await service.database.engine.execute(
    command(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, subid, status, created_at, updated_at)
SELECT 'sales', ${id} + number, 1, ${publisher}, 1, repeat('é', number % 5), number % 3, at, at FROM (
  SELECT number, toDateTime('${first}', 'UTC') + intDiv(number, 2) * ${apart} AS at FROM numbers(${rows}))`),
  );
}

const planOf = (from: number, until: number, publisher = 1): ReportPlan =>
  planWith({ role: 'affiliate', from, until, publisherIds: [publisher] });

const bytesOf = async (statement: Statement) =>
  Buffer.concat(await Array.fromAsync(service.database.engine.read(statement, never))).toString();

/** The engine, and how often it was read. */
function counted(): { reader: Reader; reads: () => number } {
  const { engine } = service.database;
  let reads = 0;
  const reader: Reader = {
    get state() {
      return engine.state;
    },
    rows: (statement) => engine.rows(statement),
    read: (statement, signal) => {
      reads += 1;
      return engine.read(statement, signal);
    },
  };
  return { reader, reads: () => reads };
}

test('any period of kept months is what the engine answers', async () => {
  const { reader } = counted();
  const kept = new MonthCache(reader);
  const first = at('2025-12-20T00:00:00');
  const instants = fc.integer({ min: 0, max: 110 * 24 });
  await fc.assert(
    fc.asyncProperty(instants, fc.integer({ min: 0, max: 31 * 24 }), async (start, length) => {
      const plan = planOf(first + start * 3600, first + (start + length) * 3600);
      await kept.recordsOf(plan);
      const records = await kept.recordsOf(plan);
      expect(records).toBeDefined();
      expect(Buffer.from(records ?? []).toString()).toBe(await bytesOf(reportStatement(plan)));
    }),
    { numRuns: runCount(100) },
  );
});

test('the engine is read at the second question, and then no more', async () => {
  const { reader, reads } = counted();
  const kept = new MonthCache(reader);
  const plan = planOf(at('2026-01-05T00:00:00'), at('2026-01-09T00:00:00'));
  expect(await kept.recordsOf(plan)).toBeUndefined();
  expect(reads()).toBe(0);
  expect(await kept.recordsOf(plan)).toBeDefined();
  const other = { ...plan, until: at('2026-01-20T00:00:00') };
  expect(await kept.recordsOf(other)).toBeDefined();
  expect(reads()).toBe(1);
});

test('the last month that the tables hold is kept like any other', async () => {
  await insert('7', 4, '2106-02-07 06:00:00', 60, 2_000_000);
  const kept = new MonthCache(counted().reader);
  const plan = planOf(at('2106-02-01T00:00:00'), 2 ** 32 - 1, 7);
  await kept.recordsOf(plan);
  const records = Buffer.from((await kept.recordsOf(plan)) ?? []).toString();
  expect(records).toContain('"transaction_id":2000003,');
  expect(records).toBe(await bytesOf(reportStatement(plan)));
});

test('whatever is written is seen by the next question', async () => {
  const { reader } = counted();
  const kept = new MonthCache(reader);
  const plan = planOf(at('2026-01-05T00:00:00'), at('2026-01-09T00:00:00'));
  for (let round = 0; round < 5; round += 1) {
    await kept.recordsOf(plan);
    await kept.recordsOf(plan);
    await insert('1', 2, '2026-01-06 12:30:00', 1, 1_000_000 + 2 * round);
    const records = Buffer.from((await kept.recordsOf(plan)) ?? (await bytes(plan))).toString();
    expect(records).toBe(await bytesOf(reportStatement(plan)));
    expect(records).toContain(`"transaction_id":${1_000_000 + 2 * round},`);
  }
});

const bytes = async (plan: ReportPlan) => Buffer.from(await bytesOf(reportStatement(plan)));

test.each([
  ['of many rows', { publisherIds: [9], from: at('2026-03-01T00:00:00') }],
  ['of several websites', { publisherIds: [1, 2] }],
  ['of some programs', { programIds: [1] }],
  ['of an administrator', { role: 'admin' as const }],
  ['of many months', { from: at('2025-01-05T00:00:00') }],
  ['that go on', { after: { at: 1, transactionId: 1 } }],
])('questions %s go to the engine', async (_, difference) => {
  const kept = new MonthCache(counted().reader);
  const plan = { ...planOf(at('2026-03-05T00:00:00'), at('2026-03-09T00:00:00')), ...difference };
  for (let times = 0; times < 3; times += 1) expect(await kept.recordsOf(plan)).toBeUndefined();
});

test('nothing is kept of an engine that others may write to', async () => {
  const { engine } = service.database;
  const reader: Reader = {
    rows: (statement) => engine.rows(statement),
    read: (statement, signal) => engine.read(statement, signal),
  };
  const kept = new MonthCache(reader);
  const plan = planOf(at('2026-01-05T00:00:00'), at('2026-01-09T00:00:00'));
  for (let times = 0; times < 3; times += 1) expect(await kept.recordsOf(plan)).toBeUndefined();
});

test('languages and websites are kept apart', async () => {
  const kept = new MonthCache(counted().reader);
  const french = planOf(at('2026-01-05T00:00:00'), at('2026-01-09T00:00:00'));
  for (const plan of [
    french,
    { ...french, locale: 'en' as const },
    { ...french, publisherIds: [2] },
  ]) {
    await kept.recordsOf(plan);
    const records = Buffer.from((await kept.recordsOf(plan)) ?? []).toString();
    expect(records).toBe(await bytesOf(reportStatement(plan)));
    expect(records.length).toBeGreaterThan(1000);
  }
});
