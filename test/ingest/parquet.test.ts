import { gzipSync, zstdCompressSync } from 'node:zlib';
import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { ROLES } from '../../src/contract/record/records.ts';
import type { Mapping } from '../../src/ingest/files/mapping.ts';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import type { FileRow } from '../support/rows/file-rows.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { expectedRecords, SAMPLE } from '../support/rows/sample-transactions.ts';
import { everyNth } from '../support/run/sampled.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';

let imports: TestImports;

beforeAll(async () => {
  imports = await startImports({ timeZone: 'Europe/Paris' });
});

afterEach(async () => await imports.clear());

afterAll(async () => await imports.close());

/** The Parquet type of a column, and how a value is converted for the writer. */
interface ParquetType {
  readonly schema: Readonly<Record<string, unknown>>;
  /** The elements inside the column, if it is nested. */
  readonly inner?: readonly Readonly<Record<string, unknown>>[];
  readonly value: (value: string | number) => unknown;
}

const timestamp = (unit: 'MILLIS' | 'MICROS' | 'NANOS', isAdjustedToUTC: boolean): ParquetType => ({
  schema: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit } },
  value: (value) => new Date(`${String(value).replace(' ', 'T')}Z`),
});

const TYPES = {
  text: { schema: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, value: String },
  int64: { schema: { type: 'INT64' }, value: BigInt },
  int32: { schema: { type: 'INT32' }, value: Number },
  double: { schema: { type: 'DOUBLE' }, value: Number },
  decimal: {
    schema: { type: 'INT64', converted_type: 'DECIMAL', scale: 6, precision: 18 },
    value: Number,
  },
  /** Without the older annotation, as some programs write it. */
  logicalDecimal: {
    schema: { type: 'INT64', logical_type: { type: 'DECIMAL', scale: 2, precision: 18 } },
    value: (value) => BigInt(Math.round(Number(value) * 100)),
  },
  local: timestamp('MICROS', false),
  instant: timestamp('MILLIS', true),
  day: { schema: { type: 'INT32', converted_type: 'DATE' }, value: (day) => new Date(day) },
  list: {
    schema: { converted_type: 'LIST', num_children: 1 },
    inner: [
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      {
        name: 'element',
        type: 'BYTE_ARRAY',
        converted_type: 'UTF8',
        repetition_type: 'OPTIONAL',
      },
    ],
    value: (value) => [String(value)],
  },
} as const satisfies Record<string, ParquetType>;

type TypeName = keyof typeof TYPES;

const INTEGERS = [
  'transaction_id',
  'program_id',
  'publisher_id',
  'support_id',
  'total',
  'orderid',
  'userid',
  'share',
];
const DATES = ['created_at', 'updated_at', 'first_click', 'last_click', 'validation_date'];

function usualType(name: string): TypeName {
  if (name === 'status') return 'int32';
  if (INTEGERS.includes(name)) return 'int64';
  if (DATES.includes(name)) return 'local';
  return name === 'amount' ? 'double' : name.startsWith('remu') ? 'decimal' : 'text';
}

/** The rows in a Parquet file, with the given types instead of the usual ones. */
function parquet(rows: readonly FileRow[], types: Readonly<Record<string, TypeName>> = {}): Buffer {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name): { name: string; type: ParquetType } => ({
    name,
    type: TYPES[types[name] ?? usualType(name)],
  }));
  const writer = new ByteWriter();
  const data = columns.map(({ name, type }) => ({
    name,
    data: rows.map((row) => (row[name] == null ? undefined : type.value(row[name]))),
  }));
  const elements = columns.flatMap(({ name, type }) => [
    { ...type.schema, name, repetition_type: 'OPTIONAL' },
    ...(type.inner ?? []),
  ]);
  parquetWrite({
    writer,
    columnData: data as never,
    schema: [{ name: 'root', num_children: columns.length }, ...elements] as never,
    rowGroupSize: 7,
  });
  return Buffer.from(writer.getBuffer());
}

async function expectRows(rows: readonly FileRow[]): Promise<void> {
  for (const kind of KINDS) {
    for (const role of ROLES) {
      expect(await imports.read(role, kind)).toEqual(expectedRecords(role, kind, rows));
    }
  }
}

type Formats = readonly (readonly [name: string, content: Buffer])[];

const formatsOf = (rows: readonly FileRow[]): Formats => [
  ['Parquet with typed columns', parquet(rows)],
  [
    'Parquet with texts for everything',
    parquet(rows, Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, 'text']))),
  ],
  [
    'Parquet with numbers as other programs widen them',
    parquet(rows, { support_id: 'double', status: 'double', share: 'int32', orderid: 'double' }),
  ],
  ['Parquet, gzip', gzipSync(parquet(rows))],
  ['Parquet, zstd', zstdCompressSync(parquet(rows))],
];

const NAMES = formatsOf(SAMPLE).map(([name]) => name);

/** In `npm test`, one import has files in every second format, each with rows of its own. */
test.each(
  fullOrShort(
    NAMES.map((name) => [name]),
    [everyNth(NAMES, 2)],
  ).map((names) => ({ names })),
)('both endpoints return every row and value of $names', async ({ names }) => {
  const files = names.map((name, at) => {
    const moved = (id: unknown) => Number(id) + 1000 * at;
    const rows = SAMPLE.map((row) => ({ ...row, transaction_id: moved(row.transaction_id) }));
    const content = formatsOf(rows).find(([other]) => other === name)?.[1] ?? '';
    return { rows, content };
  });
  const rows = files.flatMap((file) => file.rows);
  const report = await imports.importAll(files.map(({ content }) => content));
  expect(report).toMatchObject({ rows: rows.length, imported: rows.length, faults: [] });
  await expectRows(rows);
});

test('a time without a zone is in the platform’s time zone, and an instant is converted to it', async () => {
  const row = fileRow({ created_at: '2026-07-01 12:00:00' });
  await imports.importAll([parquet([row], { created_at: 'local', updated_at: 'instant' })]);
  expect(await imports.read('admin', 'sales')).toMatchObject([
    { created_at: '2026-07-01 12:00:00', updated_at: '2026-07-01 14:00:00' },
  ]);
});

/** Maps each column of the row to the field of the same name. */
const mappingOf = (row: FileRow): Mapping => ({
  fields: Object.fromEntries(Object.keys(row).map((name) => [name, { from: name }])),
});

/** The row with another identifier. */
const another = (row: FileRow): FileRow => ({ ...row, transaction_id: 7_000_000 });

test('a day begins at 00:00 in the platform’s time zone, or in that of the mapping', async () => {
  const row = fileRow({ created_at: '2026-07-01' });
  const fileOf = (one: FileRow) => parquet([one], { created_at: 'day', updated_at: 'day' });
  const each = [{}, { mapping: { ...mappingOf(row), timeZone: 'UTC' } }];
  const report = await imports.importAll([fileOf(row), fileOf(another(row))], { each });
  expect(report.faults).toEqual([]);
  expect(await imports.read('admin', 'sales')).toMatchObject([
    { created_at: '2026-07-01 00:00:00' },
    { created_at: '2026-07-01 02:00:00' },
  ]);
});

test('a stated decimal comma applies to texts, but not to typed numbers', async () => {
  const row = fileRow({ amount: 1.234, remu_publisher: '2,5', remu_program: 3.125 });
  const fileOf = (one: FileRow) => parquet([one], { remu_publisher: 'text' });
  const dialect = { decimal: ',' } as const;
  const each = [{ dialect }, { dialect, mapping: mappingOf(row) }];
  await imports.importAll([fileOf(row), fileOf(another(row))], { each });
  const amounts = { amount: 1.234, remu_publisher: 2.5, remu_program: 3.125 };
  expect(await imports.read('admin', 'sales')).toMatchObject([amounts, amounts]);
});

test('a decimal keeps its fraction, even if only its logical type says that it is one', async () => {
  const row = fileRow({ amount: 12.34, remu_publisher: 2.5 });
  const report = await imports.importAll([parquet([row], { amount: 'logicalDecimal' })]);
  expect(report.faults).toEqual([]);
  expect(await imports.read('admin', 'sales')).toMatchObject([
    { amount: 12.34, remu_publisher: 2.5 },
  ]);
});

test('a date far in the past or the future is an error of its row only', async () => {
  const far = ['0001-01-01', '1899-12-31', '2300-01-01', '9999-12-31'];
  const types = ['local', 'instant', 'day'] as const;
  const files = types.map((first_click) => {
    const time = first_click === 'day' ? '' : ' 23:59:59';
    const rows = [fileRow({}), ...far.map((day) => fileRow({ first_click: `${day}${time}` }))];
    return parquet(rows, { first_click });
  });
  const report = await imports.importAll(files, { rejects: true });
  expect(report).toMatchObject({ imported: files.length, rejected: files.length * far.length });
  expect(
    report.faults.map(({ line, column, reason, value }) => [
      line,
      column,
      reason,
      value.slice(0, 10),
    ]),
  ).toEqual(files.flatMap(() => far.map((day, at) => [at + 2, 'first_click', 'not_a_date', day])));
});

test('a column of lists is refused, unless a mapping leaves it out', async () => {
  const [row, listed] = [fileRow({}), { pid: 'a' }];
  const file = parquet([{ ...row, ...listed }], { pid: 'list' });
  const refusal = 'lists or structures, which cannot be imported: "pid"';
  await expect(imports.importAll([file])).rejects.toThrow(refusal);
  const using = { mapping: mappingOf({ ...row, ...listed }) };
  await expect(imports.importAll([file], { given: using })).rejects.toThrow(refusal);
  const report = await imports.importAll([file], { given: { mapping: mappingOf(row) } });
  expect(report).toMatchObject({ imported: 1, faults: [] });
});

test('faulty values are reported by row and column', async () => {
  const good = fileRow({});
  const rows = [
    good,
    fileRow({ orderid: '9007199254740993' }),
    fileRow({ amount: 0.1234567 }),
    fileRow({ amount: 1e-9 }),
    fileRow({ publisher_id: null }),
    fileRow({ first_click: '2026-01-01 00:00:00.001' }),
    fileRow({ type: 'leads', amount: 1 }),
    fileRow({ amount: Number.NaN }),
  ];
  // In `npm test`, the good row is imported.
  const rejects = !IS_FULL;
  const report = await imports.importAll([parquet(rows)], { rejects });
  expect(report.faults.map(({ line, column, reason }) => `${line} ${column} ${reason}`)).toEqual([
    '2 orderid not_an_integer',
    '3 amount too_many_decimals',
    '4 amount too_many_decimals',
    '5 publisher_id missing',
    '6 first_click has_fraction',
    '7 amount no_meaning',
    '8 amount not_a_decimal',
  ]);
  expect(report).toMatchObject({ rows: rows.length, rejected: 7, imported: fullOrShort(0, 1) });
});

// Only in the full run. In `npm test`, the test above imports a valid row and rejects faulty ones.
testInFull('valid rows are imported and faulty ones are rejected', async () => {
  const wrong = fileRow({ country: 'XX', pid: 'handed "over"' });
  const report = await imports.importAll([parquet([...SAMPLE, wrong])], { rejects: true });
  expect(report).toMatchObject({ imported: SAMPLE.length, rejected: 1 });
  expect(report.rejectedCsv).toContain('"handed ""over"""');
  await expectRows(SAMPLE);
});

test('a file with an unknown column is refused with the nearest name', async () => {
  const file = parquet([{ ...fileRow({}), pubisher_id: 1, x: 'y' }]);
  await expect(imports.importAll([file])).rejects.toThrow(
    /unknown column "pubisher_id"\. Did you mean "publisher_id"\?\n\s*unknown column "x"\./,
  );
});

test('a file without a required column is refused', async () => {
  const { support_id, ...rest } = fileRow({});
  await expect(imports.importAll([parquet([rest])])).rejects.toThrow('"support_id" is missing');
});

test('a truncated file is refused as a whole', async () => {
  const file = parquet(SAMPLE);
  await expect(imports.importAll([file.subarray(0, file.length / 2)])).rejects.toThrow(
    'file 1: cannot be read as Parquet',
  );
  expect(await imports.visible()).toEqual({ admin: 0, affiliate: 0, left: [] });
});
