import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { KINDS, type Kind } from '../../src/contract/record/kinds.ts';
import { ROLES } from '../../src/contract/record/records.ts';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, fileRow } from '../support/rows/file-rows.ts';
import { SAMPLE } from '../support/rows/sample-transactions.ts';
import { fullOrShort } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';

let imports: TestImports;

beforeAll(async () => {
  imports = await startImports();
});

afterEach(async () => await imports.clear());

afterAll(async () => await imports.close());

/** Every record of both endpoints. In `npm test`, only those of two types. */
async function everything() {
  const all = fullOrShort<readonly Kind[]>(KINDS, ['leads', 'sales']).flatMap((kind) => [
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

test('a repeated import changes nothing', async () => {
  await imports.importAll([csv(SAMPLE)]);
  const before = await everything();
  // In `npm test`, both files are in one import.
  const repeated = [csv(SAMPLE), csv(SAMPLE.toReversed())];
  for (const contents of fullOrShort(
    repeated.map((content) => [content]),
    [repeated],
  )) {
    const report = await imports.importAll(contents);
    expect(report).toMatchObject({ rows: contents.length * SAMPLE.length, rejected: 0 });
    expect(await everything()).toEqual(before);
  }
  expect(await imports.visible()).toEqual({
    admin: SAMPLE.length,
    affiliate: SAMPLE.length,
    left: [],
  });
});

// Only in the full run. In `npm test`, the test above has the same rows twice in an import.
testInFull('a file that is named twice in one import is imported once', async () => {
  const report = await imports.importAll([csv(SAMPLE), csv(SAMPLE)]);
  expect(report).toMatchObject({ rows: 2 * SAMPLE.length, rejected: 0 });
  expect(await imports.visible()).toMatchObject({ admin: SAMPLE.length, affiliate: SAMPLE.length });
});

/** Two versions of a transaction, in the files of one import or in two imports, and what is shown afterwards. */
interface Case {
  readonly name: string;
  readonly files: readonly (readonly FileRow[])[];
  readonly later?: FileRow;
  readonly shown: { readonly status: string; readonly pid?: string };
}

const SPRING = '2026-03-29T01:00:00Z';
const SECOND_LATER = { ...VALIDATED, updated_at: '2026-03-29 03:00:01' };
const isValidated = { status: '1' };

// biome-ignore format: one case a line
const CASES: readonly Case[] = [
  { name: 'the newer one of one file', files: [[VALIDATED, PENDING]], shown: isValidated },
  { name: 'the newer one of one file, if it is last', files: [[PENDING, VALIDATED]], shown: isValidated },
  { name: 'the newer one of two files', files: [[VALIDATED], [PENDING]], shown: isValidated },
  { name: 'the newer one of two files, if it is last', files: [[PENDING], [VALIDATED]], shown: isValidated },
  { name: 'the newer one that is imported later', files: [[PENDING]], later: VALIDATED, shown: isValidated },
  { name: 'the newer one that was imported first', files: [[VALIDATED]], later: PENDING, shown: isValidated },
  { name: 'of equal dates, the one that was imported last', files: [[{ ...PENDING, pid: 'first' }]], later: { ...PENDING, pid: 'second' }, shown: { status: '2', pid: 'second' } },
  { name: 'the one that is a second newer, even if its text sorts first', files: [[{ ...PENDING, updated_at: SPRING }]], later: SECOND_LATER, shown: isValidated },
  { name: 'the one that is newer than a text that sorts last', files: [[SECOND_LATER]], later: { ...PENDING, updated_at: '2026-03-29T01:00:00+00:30' }, shown: isValidated },
];

describe('of two versions, both endpoints show', () => {
  const found = { admin: new Map<number, object>(), affiliate: new Map<number, object>() };

  // Two imports for all cases, each with a transaction of its own.
  beforeAll(async () => {
    const numbered = (at: number) => (row: FileRow) => ({ ...row, transaction_id: at + 1 });
    const files = [0, 1].map((file) =>
      CASES.flatMap((one, at) => (one.files[file] ?? []).map(numbered(at))),
    );
    const later = CASES.flatMap((one, at) =>
      one.later === undefined ? [] : [numbered(at)(one.later)],
    );
    expect(await imports.importAll(files.map((rows) => csv(rows)))).toMatchObject({ rejected: 0 });
    expect(await imports.importAll([csv(later)])).toMatchObject({ rejected: 0 });
    for (const role of ROLES) {
      for (const row of await imports.read(role, 'sales')) found[role].set(row.transaction_id, row);
    }
  });

  test.each(CASES.map((one, at) => ({ ...one, id: at + 1 })))('$name', ({ id, shown }) => {
    expect(found.admin.get(id)).toMatchObject(shown);
    expect(found.affiliate.get(id)).toMatchObject({ status: shown.status });
  });
});

test('of many versions of many transactions, the newest of each is shown', async () => {
  const version = (id: number, at: number) =>
    fileRow({
      transaction_id: id,
      created_at: `2026-0${1 + (id % 6)}-01 00:00:00`,
      updated_at: `2026-07-01 00:00:${String(at).padStart(2, '0')}`,
      pid: `${id}.${at}`,
    });
  // Each transaction in 20 versions, or in 5 in `npm test`, in mixed order.
  const count = fullOrShort(4000, 1000);
  const rows = Array.from({ length: count }, (_, at) =>
    version((at * 7) % 200, (at + 7 * Math.floor(at / 200)) % 20),
  );
  expect(new Set(rows.map(({ pid }) => pid)).size).toBe(rows.length);
  const part = (from: number, to: number) => csv(rows.slice(from * count, to * count));
  await imports.importAll([part(0, 0.375), part(0.25, 0.75)]);
  await imports.importAll([part(0.625, 1)]);
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
