import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { ROLES } from '../../src/contract/record/records.ts';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import { csv } from '../support/rows/csv.ts';
import { ndjson } from '../support/rows/file-rows.ts';
import { expectedRecords, SAMPLE } from '../support/rows/sample-transactions.ts';

let imports: TestImports;

beforeAll(async () => {
  imports = await startImports();
});

afterEach(async () => await imports.clear());

afterAll(async () => await imports.close());

/** Compares every record of both endpoints with the rows of the file. */
async function expectSample(): Promise<void> {
  for (const kind of KINDS) {
    for (const role of ROLES) {
      expect(await imports.read(role, kind)).toEqual(expectedRecords(role, kind, SAMPLE));
    }
  }
}

const COLUMNS = [...new Set(SAMPLE.flatMap((row) => Object.keys(row)))];

const CSV = csv(SAMPLE);

test.each([
  ['CSV', CSV],
  ['CSV with semicolons', csv(SAMPLE, { delimiter: ';' })],
  ['CSV with \\N for null', csv(SAMPLE, { delimiter: ';', nothing: '\\N' })],
  [
    'CSV with NULL for null and lines that end with CRLF',
    csv(SAMPLE, { nothing: 'NULL', lineEnd: '\r\n' }),
  ],
  ['CSV with its columns the other way round', csv(SAMPLE, { columns: COLUMNS.toReversed() })],
  ['CSV after a byte order mark', `\uFEFF${CSV}`],
  [
    'CSV with the label of the status, which is not stored',
    csv(SAMPLE, { columns: [...COLUMNS, 'status_label'] }),
  ],
  ['CSV without a last line end', CSV.trimEnd()],
  ['CSV with blank lines, which the engine cannot read', CSV.replace('\n', '\n\n')],
  ['CSV, gzip', gzipSync(CSV)],
  [
    'CSV, gzip in two parts',
    Buffer.concat([gzipSync(CSV.slice(0, 900)), gzipSync(CSV.slice(900))]),
  ],
  ['CSV, zstd', zstdCompressSync(CSV)],
  [
    'CSV, zstd in two parts',
    Buffer.concat([zstdCompressSync(CSV.slice(0, 900)), zstdCompressSync(CSV.slice(900))]),
  ],
  ['NDJSON', ndjson(SAMPLE)],
  [
    'NDJSON with numbers as texts',
    ndjson(
      SAMPLE.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value)]),
        ),
      ),
    ),
  ],
  [
    'NDJSON without its nulls',
    ndjson(
      SAMPLE.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
      ),
    ),
  ],
  ['NDJSON, gzip', gzipSync(ndjson(SAMPLE))],
  ['NDJSON, zstd', zstdCompressSync(ndjson(SAMPLE))],
])('both endpoints return every row and value of %s', async (_, content) => {
  const report = await imports.importAll([content]);
  expect(report).toMatchObject({
    rows: SAMPLE.length,
    imported: SAMPLE.length,
    rejected: 0,
    faults: [],
  });
  await expectSample();
});

test('both endpoints return the valid rows of a file with rejected rows', async () => {
  const content = csv([...SAMPLE, { ...SAMPLE[0], transaction_id: 'x' }]);
  const report = await imports.importAll([content], { rejects: true });
  expect(report).toMatchObject({ imported: SAMPLE.length, rejected: 1 });
  await expectSample();
});

test('the type of all rows can be given by --type', async () => {
  const sales = SAMPLE.filter(({ type }) => type === 'sales');
  const columns = COLUMNS.filter((name) => name !== 'type');
  await imports.importAll([csv(sales, { columns })], { type: 'sales' });
  expect(await imports.read('admin', 'sales')).toEqual(expectedRecords('admin', 'sales', sales));
});

test('the totals of a large file equal those of the tables', async () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({
    ...SAMPLE[at % SAMPLE.length],
    transaction_id: at + 1,
    remu_program: (at % 1000) / 1000,
  }));
  await imports.importAll([gzipSync(csv(rows))]);
  const records = (await Promise.all(KINDS.map((kind) => imports.read('admin', kind)))).flat();
  const own = (await Promise.all(KINDS.map((kind) => imports.read('affiliate', kind)))).flat();
  const thousandths = (all: readonly { remu_program?: unknown }[]) =>
    all.reduce((sum, { remu_program }) => sum + Math.round(Number(remu_program) * 1000), 0);
  expect([records.length, own.length]).toEqual([rows.length, rows.length]);
  expect(thousandths(records)).toBe(thousandths(rows));
  expect(new Set(records.map(({ transaction_id }) => transaction_id)).size).toBe(rows.length);
});
