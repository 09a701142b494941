import { afterAll, beforeAll, expect, test } from 'vitest';
import { MonthFiller, monthKey } from '../../src/months/month-filler.ts';
import { MonthLoader } from '../../src/months/month-loader.ts';
import { MONTH_TABLES } from '../../src/months/month-statement.ts';
import { MonthStore } from '../../src/months/month-store.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { TableVersions } from '../../src/reading/table-versions.ts';
import { startService, type TestService } from '../support/requests/service.ts';

const TABLE = MONTH_TABLES.affiliate;
const ROWS = 500;
const CAPACITY = 64 * 1024 * 1024;

let service: TestService;
let versions: TableVersions;

beforeAll(async () => {
  service = await startService({ timeZone: 'UTC', settings: { memoryCache: 0 } });
  versions = new TableVersions(service.database.engine);
  await service.database.engine.execute(plainStatement(`SYSTEM STOP MERGES ${TABLE.table}`));
});

afterAll(async () => await service.close());

/** Inserts sales of a day. The version says which of two inserts of the same rows is newer. */
async function insert(day: string, firstId: number, version = 0): Promise<void> {
  await service.database.engine.execute(
    plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, created_at, updated_at)
SELECT 'sales', ${firstId} + number, 1, 1, 1, at, at + ${version}
FROM (SELECT number, toDateTime('${day} 12:00:00', 'UTC') AS at FROM numbers(${ROWS}))`),
  );
}

async function partitionOf(month: string) {
  const parts = await versions.parts({ isLatest: true });
  const found = parts.get(TABLE.table)?.find(({ partition }) => partition === month);
  if (found === undefined) throw new Error(`There are no parts of ${month}.`);
  return found;
}

test('a few rows that are left of an import do not keep all of it in memory', async () => {
  const signal = new AbortController().signal;
  const loader = new MonthLoader({ reader: service.database.engine, versions, signal });
  await insert('2026-01-10', 0);
  let month = await loader.load(TABLE, await partitionOf('202601'), CAPACITY);
  // Each import replaces all rows of the previous import but the first.
  for (let version = 1; version <= 4; version += 1) {
    await insert('2026-01-10', 1000 + version, version);
    month = month && (await loader.update(month, await partitionOf('202601')));
  }
  const changes = month?.content.changes ?? [];
  expect(changes).toHaveLength(ROWS + 3);
  const needed = changes.reduce((all, { size }) => all + size, 0);
  const held = [...new Set(changes.map(({ bytes }) => bytes))];
  expect(held.reduce((all, { length }) => all + length, 0)).toBeLessThanOrEqual(2 * needed);
});

test('a month that was removed from the tables is removed from memory', async () => {
  const { engine } = service.database;
  await insert('2026-01-20', 5000);
  await insert('2026-02-10', 0);
  const store = new MonthStore(CAPACITY);
  const filler = new MonthFiller({ reader: engine, versions, store });
  const has = (month: string) => store.peek(monthKey(TABLE, month)) !== undefined;
  try {
    filler.start();
    await filler.settled();
    expect([has('202601'), has('202602')]).toEqual([true, true]);
    await engine.execute(plainStatement(`ALTER TABLE ${TABLE.table} DROP PARTITION ID '202601'`));
    filler.refresh();
    await filler.settled();
    expect([has('202601'), has('202602')]).toEqual([false, true]);
  } finally {
    await filler.close();
  }
});
