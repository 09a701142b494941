import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startOfDay } from '../../src/contract/query/calendar.ts';
import type { Reader } from '../../src/engine/engine.ts';
import { readPage } from '../../src/reading/pages/list-page.ts';
import { TableVersions } from '../../src/reading/table-versions.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { ONE_SERVER } from '../../src/schema/topology.ts';
import { storeFirstKeptMonths } from '../../src/schema/values/kept-months.ts';
import { openTestEngine, type TestEngine } from '../support/databases/engine.ts';
import { planWith } from '../support/requests/plans.ts';

const TIME_ZONE = 'Europe/Paris';
const never = new AbortController().signal;

/** Pending sales, the largest amount first. */
const PLAN = planWith({
  role: 'admin',
  from: startOfDay('2026-01-01', TIME_ZONE),
  until: startOfDay('2026-02-28', TIME_ZONE, 1),
  filters: [{ field: 'status', values: [2] }],
  sort: { by: 'amount', isDescending: true },
});

let database: TestEngine;

beforeAll(async () => {
  database = await openTestEngine(TIME_ZONE);
});

afterAll(async () => await database.close());

/** Inserts the sales 1 to 13 with falling amounts: odd ones are in February, even ones in January. */
beforeEach(async () => {
  await database.run('TRUNCATE TABLE transactions');
  await write('1 + number', 2, 13);
});

/** Inserts versions of sales with this status. The lower the status, the newer the version. */
async function write(id: string, status: number, rows = 1): Promise<void> {
  await database.run(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, amount, created_at, updated_at)
SELECT 'sales', ${id} AS id, 1, 1, 1, ${status}, 100 - id,
  toDateTime(if(id % 2 = 1, '2026-02-10 12:00:00', '2026-01-10 12:00:00'), '${TIME_ZONE}'), now() + ${2 - status}
FROM numbers(${rows})`);
}

/** A reader that runs the next action after each statement that it reads. */
function doingAfter(actions: readonly (() => Promise<void>)[]): Reader {
  const { engine } = database;
  const left = [...actions];
  return {
    get versions() {
      return engine.versions;
    },
    rows: (statement, signal) => engine.rows(statement, signal),
    async *read(statement, signal) {
      yield* engine.read(statement, signal);
      await left.shift()?.();
    },
  };
}

async function pageOf(reader: Reader) {
  const deps = { reader, timeZone: TIME_ZONE, tableVersions: new TableVersions(reader) };
  const { bytes, rows, isFollowed } = await readPage(PLAN, 4, deps, never);
  const ids = [...bytes.toString().matchAll(/"transaction_id":(\d+)/g)].map(([, id]) => Number(id));
  return { ids, rows, isFollowed };
}

test('a page is full if more records follow, also when one stops matching while it is read', async () => {
  const reader = doingAfter([async () => await write('2', 0)]);
  expect(await pageOf(reader)).toEqual({ ids: [1, 3, 4, 5], rows: 4, isFollowed: true });
});

test('a page whose records stop matching again and again fails like a failing engine', async () => {
  // Each attempt reads keys, and then records.
  const actions = Array.from({ length: 9 }, (_, at) => [
    async () => await write(String(1 + at), 0),
    async () => undefined,
  ]);
  await expect(pageOf(doingAfter(actions.flat()))).rejects.toMatchObject({
    name: 'EngineFailure',
    isTransient: true,
  });
});

test('a page fails, as other lists do, if retention removes rows while it is read', async () => {
  const nodes = await clusterNodesOf(database.engine, ONE_SERVER);
  const reader = doingAfter([async () => await storeFirstKeptMonths(nodes, { sales: '202602' })]);
  await expect(pageOf(reader)).rejects.toThrow(
    'Retention removes rows that this response has not sent yet.',
  );
});
