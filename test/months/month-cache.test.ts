import { afterAll, beforeAll, expect, test } from 'vitest';
import { fieldNamesOf, RECORD_FIELDS } from '../../src/contract/record/records.ts';
import type { Reader } from '../../src/engine/engine.ts';
import { openMonthCache } from '../../src/months/month-cache.ts';
import type { ListPlan } from '../../src/plan/list-plan.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { readPage } from '../../src/reading/pages/list-page.ts';
import { TableVersions } from '../../src/reading/table-versions.ts';
import { addNewRows } from '../support/databases/inserted/new-rows.ts';
import { planWith } from '../support/requests/plans.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

const never = new AbortController().signal;
const MEBIBYTE = 1024 * 1024;
const at = (text: string): number => Date.parse(`${text}Z`) / 1000;

let service: TestService;

beforeAll(async () => {
  service = await startService({ timeZone: 'Europe/Paris' });
  await insert({ publisher: '1 + number % 4', rows: 6000, first: '2026-01-01 00:00:00' });
  await insert({ publisher: '9', rows: 20_000, first: '2026-03-01 00:00:00', id: 100_000 });
});

afterAll(async () => await service.close());

interface Inserted {
  readonly publisher: string;
  readonly rows: number;
  readonly first: string;
  readonly id?: number;
  readonly program?: number;
  readonly updated?: string;
}

const execute = async (text: string) => await service.database.engine.execute(plainStatement(text));

/** Inserts sales: two with the same date, then two a quarter of an hour later, and so on. */
async function insert({ publisher, rows, first, id = 0, program = 1, updated }: Inserted) {
  await execute(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, subid, clickid, status, created_at, updated_at)
SELECT 'sales', ${id} + number, ${program}, ${publisher}, 1, repeat('é"', number % 5), lower(hex(cityHash64(number))),
  number % 3, at, ${updated === undefined ? 'at' : `toDateTime('${updated}', 'UTC')`} FROM (
  SELECT number, toDateTime('${first}', 'UTC') + intDiv(number, 2) * 900 AS at FROM numbers(${rows}))`);
  await service.monthCache?.settled();
}

const JANUARY = planWith({
  role: 'affiliate',
  from: at('2026-01-05T00:00:00'),
  until: at('2026-02-05T00:00:00'),
  publisherIds: [1],
});

const cached = async (plan: ListPlan) => await service.monthCache?.page(plan);

/** The engine's page; one without a limit has all records. */
async function stored(plan: ListPlan) {
  const { engine } = service.database;
  const versions = new TableVersions(engine);
  const deps = { reader: engine, timeZone: 'Europe/Paris', tableVersions: versions };
  return await readPage(plan, plan.limit ?? 1_000_000, deps, never);
}

/** The page of the cache, after a check that it equals the engine's. */
async function checked(plan: ListPlan): Promise<string> {
  const page = await cached(plan);
  const expected = await stored(plan);
  expect(page).toBeDefined();
  const { room: _, release: __, ...found } = { ...page, bytes: page?.bytes.toString() };
  expect(found).toEqual({
    ...expected,
    bytes: expected.bytes.toString(),
  });
  return expected.bytes.toString();
}

test.each<[string, Partial<ListPlan>]>([
  ['whole', {}],
  ['descending', { order: 'desc' }],
  ['a page', { limit: 7 }],
  [
    'a page that continues',
    { limit: 7, after: { at: at('2026-01-20T00:00:00'), transactionId: 3648 } },
  ],
  [
    'a page backwards',
    { limit: 7, order: 'desc', after: { at: at('2026-01-20T00:00:00'), transactionId: 3648 } },
  ],
  ['of several websites', { publisherIds: [3, 1, 2], limit: 50 }],
  ['of no website', { publisherIds: [] }],
  ['of some programs', { programIds: [2, 3] }],
  [
    'filtered',
    {
      filters: [
        { field: 'status', values: ['1', '2'] },
        { field: 'subid', values: ['é"é"'] },
      ],
    },
  ],
  [
    'without some values',
    {
      filters: [
        { field: 'status', values: ['1'], excludes: true },
        { field: 'subid', values: ['é"é"'], excludes: true },
        { field: 'program_id', values: [2], excludes: true },
      ],
    },
  ],
  [
    'some fields',
    { fields: RECORD_FIELDS.affiliate.filter((_, index) => index % 3 === 0).toReversed() },
  ],
  ['CSV', { form: 'csv' }],
  ['CSV for spreadsheets', { form: 'excel', fields: RECORD_FIELDS.affiliate.slice(9, 10) }],
  ['in English', { form: 'ndjson', locale: 'en' }],
  [
    'of all websites',
    { role: 'admin', publisherIds: 'all', fields: RECORD_FIELDS.admin, limit: 30 },
  ],
  ['of one website, for an administrator', { role: 'admin', fields: RECORD_FIELDS.admin }],
  [
    'of one program',
    { role: 'admin', fields: RECORD_FIELDS.admin, publisherIds: 'all', programIds: [1], limit: 30 },
  ],
  [
    'of one program, backwards',
    {
      role: 'admin',
      fields: RECORD_FIELDS.admin,
      publisherIds: 'all',
      programIds: [1],
      limit: 30,
      order: 'desc',
      after: { at: at('2026-01-20T00:00:00'), transactionId: 3648 },
    },
  ],
  [
    'of a program and a website without rows',
    { role: 'admin', fields: RECORD_FIELDS.admin, publisherIds: [1, 77], programIds: [99] },
  ],
])('a list (%s) equals the list of the engine', async (_, difference) => {
  await checked({ ...JANUARY, ...difference });
});

/** A new cache, and the statements that it sends to the engine. */
async function recordedCache() {
  const { engine } = service.database;
  const statements: string[] = [];
  const reader: Reader = {
    get versions() {
      return engine.versions;
    },
    rows: (statement) => {
      statements.push(statement.text);
      return engine.rows(statement);
    },
    read: (statement, signal) => {
      statements.push(statement.text);
      return engine.read(statement, signal);
    },
  };
  const cache = openMonthCache(reader, 64 * MEBIBYTE);
  cache?.start();
  await cache?.settled();
  return { cache, statements };
}

test('a list from the month cache sends no statement to the engine', async () => {
  const { cache, statements } = await recordedCache();
  const before = statements.length;
  expect(before).toBeGreaterThan(3);
  for (const limit of [1, 10, 100]) expect(await cache?.page({ ...JANUARY, limit })).toBeDefined();
  expect(await cache?.count(JANUARY)).toBeGreaterThan(500);
  expect(statements).toHaveLength(before);
  await cache?.close();
});

test('the first list after an import has all new rows', async () => {
  for (let round = 0; round < fullOrShort(6, 3); round += 1) {
    const id = 1_000_000 + 10 * round;
    await insert({ publisher: '1', rows: 3, first: '2026-01-06 12:30:00', id });
    expect(await checked(JANUARY)).toContain(`"transaction_id":${id},`);
  }
});

test('a newer version replaces an older one, and never the other way round', async () => {
  const id = 2_000_000;
  const first = '2026-01-07 12:30:00';
  for (const [program, updated] of [
    [5, '2026-02-01 00:00:00'],
    [6, '2026-02-03 00:00:00'],
    [7, '2026-02-02 00:00:00'],
    [8, '2026-02-03 00:00:00'],
  ] as const) {
    await insert({ publisher: '1', rows: 1, first, id, program, updated });
    await checked(JANUARY);
  }
  expect(await checked(JANUARY)).toContain(`"transaction_id":${id},"program_id":8,`);
});

test('lists of a program have a row only while its newest version is of that program', async () => {
  const id = 2_500_000;
  const ofProgram = (program: number): ListPlan => ({
    ...JANUARY,
    role: 'admin',
    fields: RECORD_FIELDS.admin,
    publisherIds: 'all',
    programIds: [program],
  });
  const versions = [
    [21, '2026-02-03 00:00:00'],
    [22, '2026-02-02 00:00:00'],
    [23, '2026-02-04 00:00:00'],
    [21, '2026-02-04 00:00:00'],
    [22, '2026-02-03 00:00:00'],
  ] as const;
  // `npm test` has the last three: two of the same date, and then an older one.
  for (const [at, [program, updated]] of versions.slice(fullOrShort(0, 2)).entries()) {
    // Reads the month again, so that the version is compared with a compressed row, not with a recent change.
    if (at > 0) service.monthCache?.forget();
    await service.monthCache?.settled();
    const dates = { created_at: '2026-01-07 12:30:00', updated_at: updated };
    const row = { transaction_id: id, program_id: program, publisher_id: 1, ...dates };
    if (at === 0) await addNewRows(service, [fileRow(row)]);
    else await service.importText(ndjson([fileRow(row)]));
    for (const other of [21, 22, 23]) {
      const records = (await checked(ofProgram(other))).split('\n').length - 1;
      expect(await service.monthCache?.count(ofProgram(other))).toBe(records);
    }
  }
  expect(await checked(ofProgram(21))).toContain(`"transaction_id":${id},"program_id":21,`);
});

test('a month with many changes is compressed again', async () => {
  for (let round = 0; round < 3; round += 1) {
    await insert({
      publisher: '1 + number % 4',
      rows: 1500,
      first: '2026-01-02 00:00:00',
      updated: `2026-03-0${round + 1} 00:00:00`,
      id: 750 * round,
    });
    await checked(JANUARY);
  }
});

test('a merge changes nothing, and nothing is read again', async () => {
  for (const [id, month] of ['01', '03', '01'].entries()) {
    await insert({
      publisher: '1',
      rows: 1,
      first: `2026-${month}-08 12:30:00`,
      id: 3_000_000 + id,
    });
  }
  const { cache, statements } = await recordedCache();
  statements.length = 0;
  await execute('OPTIMIZE TABLE affiliate_transactions FINAL');
  await cache?.settled();
  expect(statements.filter((text) => text.includes('record_head'))).toEqual([]);
  expect(await cache?.page(JANUARY)).toBeDefined();
  await cache?.close();
  await checked(JANUARY);
  await insert({ publisher: '1', rows: 2, first: '2026-01-08 12:30:00', id: 3_000_010 });
  await checked(JANUARY);
});

const MAY = { ...JANUARY, from: at('2025-05-01T00:00:00'), until: at('2025-06-01T00:00:00') };

test('deleted rows are not listed, even if other rows are inserted afterwards', async () => {
  const first = '2025-05-10 12:00:00';
  await insert({ publisher: '1', rows: 6, first, id: 5_000_000 });
  expect(await checked(MAY)).toContain('"transaction_id":5000005,');
  await execute("ALTER TABLE affiliate_transactions DROP PARTITION ID '202505'");
  await insert({ publisher: '1', rows: 3, first, id: 5_000_000 });
  expect(await checked(MAY)).not.toContain('"transaction_id":5000005,');
});

test('a month is read again after some of its rows were deleted in place', async () => {
  const change = 'DELETE WHERE transaction_id = 5000001 SETTINGS mutations_sync = 2';
  await execute(`ALTER TABLE affiliate_transactions ${change}`);
  await service.monthCache?.settled();
  expect(await checked(MAY)).not.toContain('"transaction_id":5000001,');
});

test('the last month that the tables hold is cached like any other', async () => {
  await insert({ publisher: '7', rows: 4, first: '2106-02-07 06:00:00', id: 4_000_000 });
  const plan = { ...JANUARY, from: at('2106-02-01T00:00:00'), until: 2 ** 32 - 1 };
  expect(await checked({ ...plan, publisherIds: [7] })).toContain('"transaction_id":4000003,');
});

test('all records are counted, independent of the limit', async () => {
  const plans: readonly ListPlan[] = [
    JANUARY,
    { ...JANUARY, limit: 3, after: { at: JANUARY.until, transactionId: 1 } },
    { ...JANUARY, publisherIds: [1, 3] },
    { ...JANUARY, filters: [{ field: 'status', values: ['1'] }] },
    {
      ...JANUARY,
      role: 'admin',
      publisherIds: 'all',
      fields: RECORD_FIELDS.admin,
      until: at('2026-01-08T00:00:00'),
    },
    { ...JANUARY, role: 'admin', publisherIds: [2], programIds: [1], fields: RECORD_FIELDS.admin },
    {
      ...JANUARY,
      role: 'admin',
      publisherIds: 'all',
      programIds: [98],
      fields: RECORD_FIELDS.admin,
    },
  ];
  for (const { limit: _, after: __, ...plan } of plans) {
    const { bytes } = await stored(plan);
    const records = bytes.toString().split('\n').length - 1;
    expect(await service.monthCache?.count(plan)).toBe(records);
  }
});

test.each<[string, Partial<ListPlan>]>([
  ['by another date', { dateField: 'updated_at' }],
  [
    'of many rows',
    {
      publisherIds: [9],
      from: at('2026-03-01T00:00:00'),
      until: at('2026-12-01T00:00:00'),
      fields: RECORD_FIELDS.affiliate.slice(0, 2),
    },
  ],
  [
    'for a text that may stand for broken bytes',
    { filters: [{ field: 'subid', values: ['\uFFFD'] }] },
  ],
  [
    'of more websites than are looked up one by one',
    { publisherIds: fieldNamesOf('admin').map((_, id) => id) },
  ],
  ['as a file', { form: 'parquet' }],
])('lists %s are left to the engine', async (_, difference) => {
  expect(await cached({ ...JANUARY, ...difference })).toBeUndefined();
});

test('a cache stays within its budget, and is filled with the newest months first', async () => {
  const { engine } = service.database;
  const cache = openMonthCache(engine, MEBIBYTE / 4);
  cache?.start();
  await cache?.settled();
  const last = { from: at('2106-02-01T00:00:00'), until: 2 ** 32 - 1, publisherIds: [7] };
  expect(await cache?.page({ ...JANUARY, ...last })).toBeDefined();
  const all = { ...JANUARY, role: 'admin' as const, publisherIds: 'all' as const, limit: 1 };
  expect(await cache?.page(all)).toBeUndefined();
  await cache?.close();
});

test('there is no cache with the size 0, or if other processes can write', () => {
  const { engine } = service.database;
  const reader: Reader = {
    rows: (statement) => engine.rows(statement),
    read: (statement, signal) => engine.read(statement, signal),
  };
  expect(openMonthCache(engine, 0)).toBeUndefined();
  expect(openMonthCache(reader, MEBIBYTE)).toBeUndefined();
});

test('months that are forgotten are read again', async () => {
  await service.monthCache?.settled();
  expect(await cached(JANUARY)).toBeDefined();
  service.monthCache?.forget();
  expect(await cached(JANUARY)).toBeUndefined();
  await service.monthCache?.settled();
  expect((await cached(JANUARY))?.bytes).toEqual((await stored(JANUARY)).bytes);
});

test('a token that names a website twice gets each row once', async () => {
  const twice = { ...JANUARY, publisherIds: [1, 1] };
  expect(await checked(twice)).toBe(await checked(JANUARY));
  expect(await service.monthCache?.count(twice)).toBe(await service.monthCache?.count(JANUARY));
});
