import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PERSONAL_FIELDS } from '../../src/contract/record/fields.ts';
import { commandFile } from '../../src/disk/command-files.ts';
import type { ErasureGroup, ErasureReport } from '../../src/erasure/erase-transactions.ts';
import type { Selector } from '../../src/erasure/selectors.ts';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, fileRow } from '../support/rows/file-rows.ts';
import { BYTES_OF_PERSON, PERSON, personRow } from '../support/rows/person.ts';
import { filesWith } from './raw-files.ts';

const JANUARY = '2026-01-15 12:00:00';
const FEBRUARY = '2026-02-15 12:00:00';
const MARCH = '2026-03-15 12:00:00';

let imports: TestImports;

const others = [JANUARY, FEBRUARY, MARCH].flatMap((created_at) =>
  Array.from({ length: 40 }, (_, at) =>
    fileRow({ created_at, clickid: `click-${at}`, ip_address: `198.51.100.${at}`, userid: at }),
  ),
);

/** Rows of the person, who has another click id in each test, because imports apply the erasures of other tests. */
const rowsOf = (clickid: string, ...places: readonly FileRow[]) =>
  places.map((place) => personRow({ ...place, clickid }));

const importRows = async (rows: readonly FileRow[]) => {
  expect((await imports.importAll([csv(rows)])).rejected).toBe(0);
};

const filesOfPerson = async (clickid: string = PERSON.clickid) =>
  await filesWith(imports.service.database.directory ?? '', [
    ...new Set([...BYTES_OF_PERSON, clickid]),
  ]);

const erase = async (selectors: readonly Selector[], mode: 'empty' | 'remove' = 'empty') =>
  await imports.service.operator.erase({ selectors, mode });

const byClick = (clickid: string) => [{ field: 'clickid', values: [clickid] }] as const;

const sales = async () => await imports.read('admin', 'sales');

const EMPTY = Object.fromEntries(PERSONAL_FIELDS.map(({ name }) => [name, null]));

const idsOf = (rows: readonly { readonly transaction_id?: unknown }[]) =>
  rows.map(({ transaction_id }) => transaction_id);

const mine = [personRow({ created_at: JANUARY, amount: 12.5 }), personRow({ created_at: MARCH })];
const rows = [...others, ...mine, personRow({ type: 'clics' })];
const byId = { field: 'transaction_id', values: [String(mine[0]?.transaction_id)] } as const;
const previews: (readonly ErasureGroup[])[] = [];
let report: ErasureReport;
let before: Awaited<ReturnType<typeof factsNow>>;
let after: typeof before;
/** A file that a process that still runs has in the work directory. */
let ofRunning: string;

const factsNow = async () => ({
  sales: await sales(),
  files: await filesOfPerson(),
  tags: await Promise.all(['01', '02', '03'].map(tagOf)),
  lastImport: (await imports.service.operator.databaseState()).lastImport,
});

let token: string;

async function tagOf(month: string): Promise<string | null> {
  const path = `/api/admin/transactions?type=sales&start_date=2026-${month}-01&end_date=2026-${month}-28`;
  return (await imports.service.get(path, token)).headers.get('etag');
}

/** Writes what a command leaves in the work directory if it is killed. */
async function leftBy(processId: number | undefined, namespace?: number): Promise<string> {
  const { workDirectory } = imports.service.database;
  await mkdir(workDirectory, { recursive: true });
  const [, own, rest] = basename(commandFile(workDirectory, 'input')).split('-');
  const path = join(workDirectory, `${processId}-${namespace ?? own}-${rest}`);
  await writeFile(path, PERSON.clickid);
  return path;
}

beforeAll(async () => {
  // Erased values must not be in the month cache either.
  imports = await startImports({ settings: { memoryCache: 64 * 1024 * 1024 } });
  token = await imports.service.token({});
  await importRows(rows);
  const selectors: readonly Selector[] = [
    byId,
    { field: 'ip_address', values: ['192.0.2.1', '::FFFF:203.0.113.77'] },
    { field: 'userid', values: [String(PERSON.userid)] },
    { field: 'orderid', values: [String(PERSON.orderid)] },
    { field: 'subid', values: [PERSON.subid, 'another'] },
  ];
  for (const selector of selectors) {
    const command = { selectors: [selector], mode: 'empty' } as const;
    previews.push(await imports.service.operator.previewErasure(command));
  }
  before = await factsNow();
  await leftBy(spawnSync(process.execPath, ['--version']).pid);
  ofRunning = await leftBy(process.ppid);
  // The time of the last import has whole seconds.
  await delay(1100);
  report = await erase(byClick(PERSON.clickid));
  after = await factsNow();
  await rm(ofRunning);
});

afterAll(async () => await imports.close());

const JANUARY_SALE = { type: 'sales', month: '2026-01', transactions: 1 };
const MARCH_SALE = { type: 'sales', month: '2026-03', transactions: 1 };
const CLICK = { type: 'clics', month: '2026-01', transactions: 1 };

test('a person is found by each field, and a preview changes nothing', () => {
  const [byTransaction, byAddress, ...byOthers] = previews;
  expect(byTransaction).toEqual([JANUARY_SALE]);
  expect([byAddress, byOthers.at(-1)]).toEqual(
    Array.from({ length: 2 }, () => [CLICK, JANUARY_SALE, MARCH_SALE]),
  );
  // A click has no user and no order.
  expect(byOthers.slice(0, 2)).toEqual(Array.from({ length: 2 }, () => [JANUARY_SALE, MARCH_SALE]));
  expect(idsOf(before.sales).sort()).toEqual(idsOf([...others, ...mine]).sort());
  expect(before.sales.filter(({ clickid }) => clickid === PERSON.clickid)).toHaveLength(2);
});

test('an erasure empties the personal fields in every month, and leaves all else unchanged', async () => {
  expect(before.files.length).toBeGreaterThan(20);
  expect(report.groups).toEqual([CLICK, JANUARY_SALE, MARCH_SALE]);
  const isMine = new Set<unknown>(idsOf(mine));
  expect(after.sales).toEqual(
    before.sales.map((row) => (isMine.has(row.transaction_id) ? { ...row, ...EMPTY } : row)),
  );
  const [click] = await imports.read('affiliate', 'clics');
  expect(click).toMatchObject({ clickid: null, ip_address: null, subid: null, token: null });
});

test('an erasure removes what killed commands have left in the work directory, and no other file has a value', () => {
  expect(after.files).toEqual([expect.stringContaining(ofRunning)]);
});

test('an erasure is refused while a command in another container may have a file, and deletes no such file', async () => {
  const files = [await leftBy(1, 1), await leftBy(2 ** 30, 1)];
  const refusal = {
    message: expect.stringContaining(files.toSorted().join('; ')),
    next: expect.stringContaining('restart the service'),
  };
  await expect(erase(byClick('of-another-container'))).rejects.toMatchObject(refusal);
  for (const file of files) await rm(file);
  await erase(byClick('of-another-container'));
});

test('an erasure changes the tags of the months that it changes, and no others', () => {
  expect(after.tags.map((tag, at) => tag === before.tags[at])).toEqual([false, true, false]);
});

test('an erasure does not count as the last import', () => {
  expect(before.lastImport).toBeGreaterThan(0);
  expect(after.lastImport).toBe(before.lastImport);
});

test('an erasure also finds former versions of a transaction, even under another program', async () => {
  const [row, moving] = rowsOf('former-click', { created_at: JANUARY }, { created_at: JANUARY });
  await importRows([row ?? {}, moving ?? {}]);
  const { transaction_id = 0, created_at = '' } = row ?? {};
  const moved: FileRow = { ...moving, program_id: 11, updated_at: MARCH };
  await importRows([fileRow({ transaction_id, created_at, updated_at: MARCH }), moved]);
  expect((await filesOfPerson('former-click')).length).toBeGreaterThan(20);
  await imports.service.database.engine.execute({
    text: 'OPTIMIZE TABLE transactions FINAL',
    values: {},
  });
  expect((await erase(byClick('former-click'))).groups).toMatchObject([{ transactions: 2 }]);
  expect(await filesOfPerson('former-click')).toEqual([]);
  expect(await sales()).toContainEqual(
    expect.objectContaining({ transaction_id: moved.transaction_id, program_id: 11 }),
  );
});

test('an erasure removes only the rows of the person, and importing an old file again does not bring them back', async () => {
  const before = await sales();
  const [mine = {}, other = {}] = rowsOf(
    'removed-click',
    { created_at: JANUARY },
    { created_at: '2026-02-01 00:00:00' },
  );
  await importRows([mine, other]);
  expect(await sales()).toHaveLength(before.length + 2);
  await erase(byClick('removed-click'), 'remove');
  expect(await sales()).toEqual(before);
  expect(await filesOfPerson('removed-click')).toEqual([]);
  const faulty = fileRow({ created_at: 'yesterday' });
  const report = await imports.importAll([csv([mine, ...others, faulty])], { rejects: true });
  expect(report).toMatchObject({ rows: 122, rejected: 1, imported: 120, emptied: 0, removed: 1 });
  expect(await sales()).toEqual(before);
  expect(await filesOfPerson('removed-click')).toEqual([]);
});

test('an erasure of the identifier 0 leaves rows without an identifier as they are', async () => {
  await erase([{ field: 'orderid', values: ['0'] }], 'remove');
  const report = await imports.importAll([
    csv([fileRow({ type: 'clics', created_at: JANUARY }), fileRow({ orderid: 0 })]),
  ]);
  expect(report).toMatchObject({ rows: 2, imported: 1, emptied: 0, removed: 1 });
});

// The last test, because it leaves a transaction of the person.
test('rows of the first second of 1970 are imported after an erasure, too', async () => {
  const first = { created_at: '1970-01-01 01:00:00', updated_at: JANUARY };
  const early = [fileRow(first), fileRow({ ...first, clickid: 'somebody' })];
  const report = await imports.importAll([csv(early)]);
  expect(report).toMatchObject({ imported: 2, emptied: 0, removed: 0 });
});

test('importing an old file again does not bring the person back, but later transactions are kept', async () => {
  // A transaction of the same person that was not imported before. Only its click id shows that it must be emptied.
  const unknown = personRow({ created_at: MARCH, ip_address: '203.0.113.78', userid: 5 });
  // An earlier version of an erased transaction, without its click id.
  const earlier = { ...mine[0], clickid: null, updated_at: '2026-01-20 12:00:00' };
  const known = await sales();
  const again = await imports.importAll([csv(rows)]);
  expect(again).toMatchObject({ rows: 123, imported: 123, emptied: 3, removed: 0 });
  expect(await sales()).toEqual(known);
  const more = await imports.importAll([csv([unknown, earlier])]);
  expect(more).toMatchObject({ rows: 2, imported: 2, emptied: 2 });
  expect(await sales()).toContainEqual(
    expect.objectContaining({ ...EMPTY, transaction_id: unknown.transaction_id }),
  );
  expect(await filesOfPerson()).toEqual([]);
  // A transaction that is created after the erasure is imported unchanged.
  const created_at = '2099-01-01 00:00:00';
  await importRows([personRow({ created_at })]);
  expect((await sales()).at(-1)).toMatchObject({ clickid: PERSON.clickid, created_at });
});
