import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, fileRow } from '../support/rows/file-rows.ts';
import { SAMPLE } from '../support/rows/sample-transactions.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

let imports: TestImports;

beforeAll(async () => {
  imports = await startImports();
});

afterEach(async () => await imports.clear());

afterAll(async () => await imports.close());

/** Every record of both endpoints. */
async function everything() {
  const all = KINDS.flatMap((kind) => [
    imports.read('admin', kind),
    imports.read('affiliate', kind),
  ]);
  return await Promise.all(all);
}

const PENDING = fileRow({ transaction_id: 1, status: 2, updated_at: '2026-02-01 00:00:00' });

const VALIDATED: FileRow = {
  ...PENDING,
  status: 1,
  validation_date: '2026-03-01 00:00:00',
  updated_at: '2026-03-01 00:00:00',
};

/** The statuses that both endpoints show. */
async function statuses(): Promise<readonly string[]> {
  const [admin, affiliate] = [
    await imports.read('admin', 'sales'),
    await imports.read('affiliate', 'sales'),
  ];
  expect(affiliate.map(({ status }) => status)).toEqual(admin.map(({ status }) => status));
  return admin.map(({ status }) => status);
}

test('a repeated import changes nothing', async () => {
  await imports.importAll([csv(SAMPLE)]);
  const before = await everything();
  for (const content of [csv(SAMPLE), csv(SAMPLE.toReversed())]) {
    const report = await imports.importAll([content]);
    expect(report).toMatchObject({ imported: SAMPLE.length, rejected: 0 });
    expect(await everything()).toEqual(before);
  }
  expect(await imports.visible()).toEqual({
    admin: SAMPLE.length,
    affiliate: SAMPLE.length,
    left: [],
  });
});

test('a file that is named twice in one import is imported once', async () => {
  const report = await imports.importAll([csv(SAMPLE), csv(SAMPLE)]);
  expect(report).toMatchObject({ rows: 2 * SAMPLE.length, rejected: 0 });
  expect(await imports.visible()).toMatchObject({ admin: SAMPLE.length, affiliate: SAMPLE.length });
});

test('the version with the latest date is shown, and of equal dates the one that was imported last', async () => {
  const [second, third] = [{ transaction_id: 2 }, { transaction_id: 3, pid: 'first' }];
  await imports.importAll([csv([PENDING, { ...VALIDATED, ...second }, { ...PENDING, ...third }])]);
  expect(await statuses()).toEqual(['2', '1', '2']);
  third.pid = 'second';
  await imports.importAll([csv([VALIDATED, { ...PENDING, ...second }, { ...PENDING, ...third }])]);
  expect(await statuses()).toEqual(['1', '1', '2']);
  expect((await imports.read('admin', 'sales')).at(-1)).toMatchObject({ pid: 'second' });
});

const TOGETHER: readonly (readonly [string, readonly string[]])[] = [
  ['in one file', [csv([VALIDATED, PENDING])]],
  ['in one file, the newer one last', [csv([PENDING, VALIDATED])]],
  ['in two files', [csv([VALIDATED]), csv([PENDING])]],
  ['in two files, the newer one last', [csv([PENDING]), csv([VALIDATED])]],
];

/** `npm test` has only the first and the last of these cases. */
test.each(TOGETHER.filter((_, at) => at % 3 === 0 || IS_FULL))(
  'the newer of two versions is shown: %s',
  async (_, contents) => {
    expect(await imports.importAll(contents)).toMatchObject({ rows: 2, rejected: 0 });
    expect(await statuses()).toEqual(['1']);
  },
);

test('a version one second later is newer, even if its text sorts first', async () => {
  await imports.importAll([csv([{ ...PENDING, updated_at: '2026-03-29T01:00:00Z' }])]);
  await imports.importAll([csv([{ ...VALIDATED, updated_at: '2026-03-29 03:00:01' }])]);
  expect(await statuses()).toEqual(['1']);
  await imports.importAll([csv([{ ...PENDING, updated_at: '2026-03-29T01:00:00+00:30' }])]);
  expect(await statuses()).toEqual(['1']);
});

test('of many versions of many transactions, the newest of each is shown', async () => {
  const version = (id: number, at: number) =>
    fileRow({
      transaction_id: id,
      created_at: `2026-0${1 + (id % 6)}-01 00:00:00`,
      updated_at: `2026-07-01 00:00:${String(at).padStart(2, '0')}`,
      pid: `${id}.${at}`,
    });
  // Each transaction in 20 versions, in mixed order.
  const rows = Array.from({ length: 4000 }, (_, at) =>
    version((at * 7) % 200, (at + 7 * Math.floor(at / 200)) % 20),
  );
  expect(new Set(rows.map(({ pid }) => pid)).size).toBe(rows.length);
  await imports.importAll([csv(rows.slice(0, 1500)), csv(rows.slice(1000, 3000))]);
  await imports.importAll([csv(rows.slice(2500))]);
  const newest = new Map<number, number>();
  for (const { transaction_id, pid } of rows) {
    const [id, at] = [Number(transaction_id), Number(String(pid).split('.')[1])];
    newest.set(id, Math.max(newest.get(id) ?? 0, at));
  }
  const found = await imports.read('admin', 'sales');
  expect(
    new Map(found.map(({ transaction_id, pid }) => [transaction_id, Number(pid?.split('.')[1])])),
  ).toEqual(newest);
});
