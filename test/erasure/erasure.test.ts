import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PERSONAL_FIELDS } from '../../src/contract/record/fields.ts';
import type { Selector } from '../../src/erasure/selectors.ts';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, fileRow } from '../support/rows/file-rows.ts';
import { BYTES_OF_PERSON, PERSON, personRow } from '../support/rows/person.ts';
import { filesWith } from './raw-files.ts';

const JANUARY = '2026-01-15 12:00:00';
const MARCH = '2026-03-15 12:00:00';

let imports: TestImports;

beforeEach(async () => {
  // Erased values must not be in the month cache either.
  imports = await startImports({ settings: { memoryCache: 64 * 1024 * 1024 } });
});

afterEach(async () => await imports.close());

const others = [JANUARY, MARCH].flatMap((created_at) =>
  Array.from({ length: 40 }, (_, at) =>
    fileRow({ created_at, clickid: `click-${at}`, ip_address: `198.51.100.${at}`, userid: at }),
  ),
);

const importRows = async (rows: readonly FileRow[]) => {
  expect((await imports.importAll([csv(rows)])).rejected).toBe(0);
};

const filesOfPerson = async () =>
  await filesWith(imports.service.database.directory ?? '', BYTES_OF_PERSON);

const erase = async (selectors: readonly Selector[], mode: 'empty' | 'remove' = 'empty') =>
  await imports.service.operator.erase({ selectors, mode });

const byClick = [{ field: 'clickid', values: [PERSON.clickid] }] as const;

const sales = async () => await imports.read('admin', 'sales');

const EMPTY = Object.fromEntries(PERSONAL_FIELDS.map(({ name }) => [name, null]));

test('an erasure empties the personal fields in every month, and leaves all else unchanged', async () => {
  const mine = [personRow({ created_at: JANUARY, amount: 12.5 }), personRow({ created_at: MARCH })];
  await importRows([...others, ...mine, personRow({ type: 'clics' })]);
  const before = await sales();
  expect((await filesOfPerson()).length).toBeGreaterThan(20);
  const { groups } = await erase(byClick);
  expect(groups).toEqual([
    { type: 'clics', month: '2026-01', transactions: 1 },
    { type: 'sales', month: '2026-01', transactions: 1 },
    { type: 'sales', month: '2026-03', transactions: 1 },
  ]);
  const isMine = new Set(mine.map(({ transaction_id }) => transaction_id));
  expect(await sales()).toEqual(
    before.map((row) => (isMine.has(row.transaction_id) ? { ...row, ...EMPTY } : row)),
  );
  const [click] = await imports.read('affiliate', 'clics');
  expect(click).toMatchObject({ clickid: null, ip_address: null, subid: null, token: null });
  expect(await filesOfPerson()).toEqual([]);
});

test('an erasure also finds former versions of a transaction, even under another program', async () => {
  const row = personRow({ created_at: JANUARY });
  const moving = personRow({ created_at: JANUARY });
  await importRows([...others, row, moving]);
  const { transaction_id = 0, created_at = '' } = row;
  const moved = { ...moving, program_id: 11, updated_at: MARCH };
  await importRows([fileRow({ transaction_id, created_at, updated_at: MARCH }), moved]);
  expect((await filesOfPerson()).length).toBeGreaterThan(20);
  await imports.service.database.engine.execute({
    text: 'OPTIMIZE TABLE transactions FINAL',
    values: {},
  });
  expect((await erase(byClick)).groups).toMatchObject([{ transactions: 2 }]);
  expect(await filesOfPerson()).toEqual([]);
  const { transaction_id: id = 0 } = moving;
  expect(await sales()).toContainEqual(
    expect.objectContaining({ transaction_id: id, program_id: 11 }),
  );
});

test('a person is found by each field, a preview changes nothing, and an erasure changes the tags of its months', async () => {
  const row = personRow({ created_at: JANUARY });
  await importRows([...others, row]);
  const before = await sales();
  const byId = { field: 'transaction_id', values: [String(row.transaction_id)] } as const;
  const selectors: readonly Selector[] = [
    byId,
    { field: 'ip_address', values: ['192.0.2.1', '::FFFF:203.0.113.77'] },
    { field: 'userid', values: [String(PERSON.userid)] },
    { field: 'orderid', values: [String(PERSON.orderid)] },
    { field: 'subid', values: [PERSON.subid, 'another'] },
  ];
  for (const selector of selectors) {
    const command = { selectors: [selector], mode: 'empty' } as const;
    expect(await imports.service.operator.previewErasure(command)).toEqual([
      { type: 'sales', month: '2026-01', transactions: 1 },
    ]);
  }
  expect(await sales()).toEqual(before);
  const token = await imports.service.token({});
  const [january, march] = [await tagOf(token, '01'), await tagOf(token, '03')];
  await erase([byId]);
  expect(await filesOfPerson()).toEqual([]);
  // Tags change where the answers change, and only there.
  expect(await tagOf(token, '01')).not.toBe(january);
  expect(await tagOf(token, '03')).toBe(march);
});

async function tagOf(token: string, month: string): Promise<string | null> {
  const path = `/api/admin/transactions?type=sales&start_date=2026-${month}-01&end_date=2026-${month}-28`;
  return (await imports.service.get(path, token)).headers.get('etag');
}

test('importing an old file again does not bring the person back, but later transactions are kept', async () => {
  const mine = personRow({ created_at: JANUARY });
  // A transaction of the same person that was not imported before. Only its click id shows that it must be emptied.
  const unknown = personRow({ created_at: MARCH, ip_address: '203.0.113.78', userid: 5 });
  // An earlier version of the erased transaction, without its click id.
  const earlier = { ...mine, clickid: null, updated_at: '2026-01-20 12:00:00' };
  await importRows([...others, mine]);
  await erase(byClick);
  const before = await sales();
  const again = await imports.importAll([csv([...others, mine])]);
  expect(again).toMatchObject({ rows: 81, imported: 81, emptied: 1, removed: 0 });
  expect(await sales()).toEqual(before);
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

test('an erasure removes only the rows of the person, and importing an old file again does not bring them back', async () => {
  const mine = personRow({ created_at: JANUARY });
  await importRows([...others, mine, personRow({ created_at: '2026-02-01 00:00:00' })]);
  await erase(byClick, 'remove');
  const before = await sales();
  expect(before.map(({ transaction_id }) => transaction_id)).toEqual(
    others.map(({ transaction_id }) => transaction_id),
  );
  expect(await filesOfPerson()).toEqual([]);
  const faulty = fileRow({ created_at: 'yesterday' });
  const report = await imports.importAll([csv([mine, ...others, faulty])], { rejects: true });
  expect(report).toMatchObject({ rows: 82, rejected: 1, imported: 80, emptied: 0, removed: 1 });
  expect(await sales()).toEqual(before);
  expect(await filesOfPerson()).toEqual([]);
});

test('an erasure of the identifier 0 leaves rows without an identifier as they are', async () => {
  await erase([{ field: 'orderid', values: ['0'] }], 'remove');
  const rows = [fileRow({ type: 'clics', created_at: JANUARY }), fileRow({ orderid: 0 })];
  const report = await imports.importAll([csv(rows)]);
  expect(report).toMatchObject({ rows: 2, imported: 1, emptied: 0, removed: 1 });
});

test('an erasure does not count as the last import', async () => {
  const { operator } = imports.service;
  await importRows([personRow({ created_at: JANUARY })]);
  const { lastImport } = await operator.databaseState();
  // The time has whole seconds.
  await delay(1100);
  expect((await erase(byClick)).groups).toHaveLength(1);
  expect((await operator.databaseState()).lastImport).toBe(lastImport);
});

test('an erasure removes what killed commands have left in the work directory', async () => {
  await importRows([personRow({ created_at: JANUARY })]);
  const { workDirectory } = imports.service.database;
  await mkdir(workDirectory, { recursive: true });
  const leftBy = async (processId: number | undefined) => {
    const path = join(workDirectory, `${processId}-0123456789abcdef.input`);
    await writeFile(path, PERSON.clickid);
    return path;
  };
  await leftBy(spawnSync(process.execPath, ['--version']).pid);
  const running = await leftBy(process.ppid);
  await erase(byClick);
  expect(await filesOfPerson()).toEqual([expect.stringContaining(running)]);
});
