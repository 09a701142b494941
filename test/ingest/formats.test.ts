import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { ROLES } from '../../src/contract/record/records.ts';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, ndjson } from '../support/rows/file-rows.ts';
import { expectedRecords, SAMPLE } from '../support/rows/sample-transactions.ts';
import { everyNth } from '../support/run/sampled.ts';
import { fullOrShort } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';

let imports: TestImports;

beforeAll(async () => {
  imports = await startImports();
});

afterEach(async () => await imports.clear());

afterAll(async () => await imports.close());

/** Compares every record of both endpoints with the rows of the file. */
async function expectRows(rows: readonly FileRow[]): Promise<void> {
  for (const kind of KINDS) {
    for (const role of ROLES) {
      expect(await imports.read(role, kind)).toEqual(expectedRecords(role, kind, rows));
    }
  }
}

const COLUMNS = [...new Set(SAMPLE.flatMap((row) => Object.keys(row)))];

type Formats = readonly (readonly [name: string, content: string | Uint8Array])[];

/** A copy of the row with another transaction id. */
const moved = (row: FileRow, at: number): FileRow => ({
  ...row,
  transaction_id: Number(row.transaction_id) + 1000 * at,
});

/** The rows in each format. */
const formatsOf = (rows: readonly FileRow[], plain = csv(rows)): Formats => [
  ['CSV', plain],
  ['CSV with semicolons', csv(rows, { delimiter: ';' })],
  ['CSV with \\N for null', csv(rows, { delimiter: ';', nothing: '\\N' })],
  [
    'CSV with NULL for null and lines that end with CRLF',
    csv(rows, { nothing: 'NULL', lineEnd: '\r\n' }),
  ],
  ['CSV with its columns the other way round', csv(rows, { columns: COLUMNS.toReversed() })],
  ['CSV after a byte order mark', `\uFEFF${plain}`],
  [
    'CSV with the label of the status, which is not stored',
    csv(rows, { columns: [...COLUMNS, 'status_label'] }),
  ],
  ['CSV without a last line end', plain.trimEnd()],
  ['CSV with blank lines, which the engine cannot read', plain.replace('\n', '\n\n')],
  ['CSV, gzip', gzipSync(plain)],
  [
    'CSV, gzip in two parts',
    Buffer.concat([gzipSync(plain.slice(0, 900)), gzipSync(plain.slice(900))]),
  ],
  ['CSV, zstd', zstdCompressSync(plain)],
  [
    'CSV, zstd in two parts',
    Buffer.concat([zstdCompressSync(plain.slice(0, 900)), zstdCompressSync(plain.slice(900))]),
  ],
  ['NDJSON', ndjson(rows)],
  [
    'NDJSON with numbers as texts',
    ndjson(
      rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value)]),
        ),
      ),
    ),
  ],
  [
    'NDJSON without its nulls',
    ndjson(
      rows.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
      ),
    ),
  ],
  ['NDJSON, gzip', gzipSync(ndjson(rows))],
  ['NDJSON, zstd', zstdCompressSync(ndjson(rows))],
];

const NAMES = formatsOf(SAMPLE).map(([name]) => name);

/** In `npm test`, one import has files in every fifth format, each with rows of its own. */
test.each(
  fullOrShort(
    NAMES.map((name) => [name]),
    [everyNth(NAMES, 5)],
  ).map((names) => ({ names })),
)('both endpoints return every row and value of $names', async ({ names }) => {
  const files = names.map((name, at) => {
    const rows = SAMPLE.map((row) => moved(row, at));
    const content = formatsOf(rows).find(([other]) => other === name)?.[1] ?? '';
    return { rows, content };
  });
  const rows = files.flatMap((file) => file.rows);
  const report = await imports.importAll(files.map(({ content }) => content));
  expect(report).toMatchObject({
    rows: rows.length,
    imported: rows.length,
    rejected: 0,
    faults: [],
  });
  await expectRows(rows);
});

// Only in the full run. In `npm test`, edge-values.test.ts reads values that were imported beside a rejected row.
testInFull('both endpoints return the valid rows of a file with rejected rows', async () => {
  const content = csv([...SAMPLE, { ...SAMPLE[0], transaction_id: 'x' }]);
  const report = await imports.importAll([content], { rejects: true });
  expect(report).toMatchObject({ imported: SAMPLE.length, rejected: 1 });
  await expectRows(SAMPLE);
});

test('the type of all rows can be given by --type', async () => {
  const sales = SAMPLE.filter(({ type }) => type === 'sales');
  const columns = COLUMNS.filter((name) => name !== 'type');
  await imports.importAll([csv(sales, { columns })], { type: 'sales' });
  expect(await imports.read('admin', 'sales')).toEqual(expectedRecords('admin', 'sales', sales));
});

test('the totals of a large file equal those of the responses', async () => {
  const rows = Array.from({ length: fullOrShort(20_000, 2000) }, (_, at) => ({
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
