import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STORED_FIELDS } from '../../src/contract/record/fields.ts';
import { faultConditions } from '../../src/ingest/checks/checks.ts';
import { REASONS, type Reason } from '../../src/ingest/checks/reasons.ts';
import { normalisedColumns, type TextColumns } from '../../src/ingest/checks/text-columns.ts';
import { KNOWN_COLUMNS } from '../../src/ingest/files/known-columns.ts';
import { select } from '../../src/plan/select.ts';
import { literal, plainStatement } from '../../src/plan/sql.ts';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, fileRow, ndjson } from '../support/rows/file-rows.ts';
import { everyNth, sampled } from '../support/run/sampled.ts';
import { fullOrShort } from '../support/run/test-extent.ts';
import { PROVOKED } from './provocations.ts';

let imports: TestImports;

beforeAll(async () => {
  imports = await startImports({ timeZone: 'Europe/Paris' });
});

afterAll(async () => await imports.close());

/** Reasons that a single value cannot provoke, by the file with their test. */
const ELSEWHERE: readonly Reason[] = [
  // lines.test.ts
  ...(['malformed', 'wrong_number_of_cells', 'unknown_field', 'not_utf8'] as const),
  // this file
  'other_kind',
  // conflicts.test.ts
  ...(['moved', 'ambiguous'] as const),
  // import-mapping.test.ts
  'unmapped_code',
  // test/directory/import.test.ts
  ...(['too_long', 'not_a_url', 'repeated'] as const),
  // retention.test.ts
  'beyond_retention',
];

/** In `npm test`, one value for each reason. The SQL conditions below are checked with all values. */
const cases = sampled(
  Object.entries(PROVOKED).flatMap(([reason, provocations]) =>
    provocations.flatMap(({ column, values, beside }) =>
      values.map((value) => ({ reason: reason as Reason, column, value, beside })),
    ),
  ),
  ({ reason }) => reason,
);

test('every reason has a test', () => {
  const tested = [...Object.keys(PROVOKED), ...ELSEWHERE];
  expect(tested.sort()).toEqual(Object.keys(REASONS).sort());
});

/** Ten, because a report names at most 20 faults, and each case is in two files. */
const CASES = 10;

const batches = Array.from({ length: Math.ceil(cases.length / CASES) }, (_, at) => {
  const batch = cases.slice(CASES * at, CASES * at + CASES);
  return { batch, reasons: [...new Set(batch.map(({ reason }) => reason))].join(', ') };
});

const isNothing = (value: string | number) => ['', 'NULL', '\\N'].includes(String(value));

test.each(batches)('faults have a line, a column and a value: $reasons', async ({ batch }) => {
  const rows = batch.flatMap(({ column, value, beside }) => [
    fileRow({}),
    fileRow({ ...beside, [column]: value }),
  ]);
  // Values with a line break take two lines of a CSV file.
  const linesOf = (row: FileRow) => (Object.values(row).join('').includes('\n') ? 2 : 1);
  const lineInCsv = (at: number) => rows.slice(0, at).reduce((line, row) => line + linesOf(row), 2);
  const inCsv = batch.map(({ reason, column, value }, at) => ({
    file: 'file 1',
    line: lineInCsv(2 * at + 1),
    column,
    reason,
    value: isNothing(value) ? '' : String(value),
  }));
  const inJson = inCsv.map((fault, at) => ({ ...fault, file: 'file 2', line: 2 * at + 2 }));
  const report = await imports.importAll([csv(rows), ndjson(rows)]);
  expect(report.faults).toEqual([...inCsv, ...inJson]);
  const rejected = 2 * batch.length;
  const counts = { rows: 2 * rows.length, rejected, imported: 0 };
  const reasons = Object.groupBy(inCsv, ({ reason }) => reason);
  const faultsByReason = Object.entries(reasons).map(([reason, all]) => [reason, 2 * all.length]);
  expect(report).toMatchObject({ ...counts, reasons: Object.fromEntries(faultsByReason) });
  expect(await imports.visible()).toEqual({ admin: 0, affiliate: 0, left: [] });
});

const textsOf = (row: FileRow): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'number' ? String(value) : value));

test('the SQL conditions that check whole files find each faulty row, and no other', async () => {
  const dates = STORED_FIELDS.filter(({ type }) => type === 'date').map(({ name }) => name);
  const { not_a_date = [], skipped_by_the_clock = [] } = PROVOKED;
  const wrongDates = [...not_a_date, ...skipped_by_the_clock].flatMap((provocation) =>
    dates.map((column) => ({ ...provocation, column })),
  );
  const faulty = [...Object.values(PROVOKED).flat(), ...wrongDates].flatMap(
    ({ column, values, beside }) => values.map((value) => fileRow({ ...beside, [column]: value })),
  );
  const validated = { status: 1, validation_date: '2026-01-15T12:00:00.000+01:00' };
  const valid = [fileRow({}), fileRow(validated), fileRow({ first_click: '1999-12-31 23:59:59' })];
  const source: TextColumns = new Map(
    KNOWN_COLUMNS.map((name) => [name, `JSONExtractString(row, '${name}')`]),
  );
  const options = { timeZone: 'Europe/Paris', type: undefined, round: false } as const;
  const conditions = faultConditions(source, options).map((condition) => `(${condition})`);
  const rows = [...valid, ...faulty].map((row) => literal(textsOf(row)));
  const text = `SELECT ${conditions.join(' OR ')} AS is_faulty
FROM (SELECT ${normalisedColumns(source, undefined).join(', ')} FROM (SELECT arrayJoin([${rows.join(', ')}]) AS row))`;
  const { engine } = imports.service.database;
  const found = await engine.rows(
    select(v.object({ is_faulty: v.number() }), plainStatement(text)),
  );
  expect(found.map(({ is_faulty }) => is_faulty)).toEqual([
    ...valid.map(() => 0),
    ...faulty.map(() => 1),
  ]);
});

test('a fraction of a second is refused in dates with the year or the day first', async () => {
  // Each date as it is written and shown, by file, because a file has one order.
  const dates = [
    [
      ['2026-01-15 10:00:00.5', '2026-01-15 10:00:00.5'],
      ['2026-01-15T10:00:00.123Z', '2026-01-15T10:00:00.123Z'],
    ],
    [['15/01/2026 10:00:00,5', '2026-01-15 10:00:00.5']],
  ];
  const files = dates.flatMap((all, at) => {
    const rows = all.map(([date = '']) => fileRow({ first_click: date }));
    // In `npm test`, the first dates are in NDJSON and the others in CSV.
    return everyNth([csv(rows), ndjson(rows)], 2, 1 - at);
  });
  const { faults } = await imports.importAll(files);
  const expected = dates.flatMap((all) => {
    const shown = all.map(([, text]) => ['has_fraction', text]);
    return fullOrShort([...shown, ...shown], shown);
  });
  expect(faults.map(({ reason, value }) => [reason, value])).toEqual(expected);
});

test('a row that differs from --type is reported', async () => {
  const rows = [fileRow({ type: 'sales' }), fileRow({ type: 'leads' }), fileRow({ type: '' })];
  const report = await imports.importAll([csv(rows)], { type: 'sales' });
  expect(report.faults).toEqual([
    { file: 'file 1', line: 3, column: 'type', reason: 'other_kind', value: 'sales' },
  ]);
});

test('faults are reported in the order of lines, and within a line in the order of fields', async () => {
  const rows = [
    fileRow({ updated_at: 'x', transaction_id: 'x', country: 'xx', amount: 'x' }),
    fileRow({ status: 7 }),
  ];
  const { faults } = await imports.importAll([csv(rows)]);
  expect(faults.map(({ line, column }) => `${line} ${column}`)).toEqual([
    '2 transaction_id',
    '2 amount',
    '2 country',
    '2 updated_at',
    '3 status',
  ]);
});

test('the first 20 faults are listed, and all are counted', async () => {
  const count = fullOrShort(1000, 100);
  const rows = Array.from({ length: count }, () => fileRow({ status: 7, country: 'xx' }));
  const report = await imports.importAll([csv(rows), csv(rows)]);
  expect(report.faults).toHaveLength(20);
  expect(report.faults.at(-1)).toMatchObject({ file: 'file 1', line: 11, column: 'status' });
  expect(report.reasons).toEqual({ not_a_status: 2 * count, not_a_country: 2 * count });
  expect(report.rejected).toBe(2 * count);
});

test('the data version changes when rows become visible, and not while they are prepared', async () => {
  const { engine } = imports.service.database;
  const before = engine.versions;
  await imports.importAll([csv([fileRow({ status: 9 })])]);
  expect(engine.versions).toEqual(before);
  await imports.importAll([csv([fileRow({})])]);
  expect(engine.versions).not.toEqual(before);
});
