import { afterAll, beforeAll, expect, test } from 'vitest';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, fileRow, ndjson } from '../support/rows/file-rows.ts';

let imports: TestImports;

beforeAll(async () => {
  imports = await startImports({ timeZone: 'Europe/Paris' });
});

afterAll(async () => await imports.close());

/** A field, its text in the file, its text in the response, and other values of the row. */
type Accepted = readonly [field: string, inFile: string, inAnswer: string, beside?: FileRow];

// biome-ignore format: one value a line
const ACCEPTED: readonly Accepted[] = [
  ['transaction_id', '0', '0'],
  ['transaction_id', '9007199254740991', '9007199254740991'],
  ['orderid', '0009', '9'],
  ['orderid', '', 'null'],
  ['amount', '0', '0'],
  ['amount', '-0', '0'],
  ['amount', '0.000001', '0.000001'],
  ['amount', '-0.000001', '-0.000001'],
  ['amount', '0.100000', '0.1'],
  ['amount', `1.50${'0'.repeat(50)}`, '1.5'],
  ['amount', '999999999999.999999', '999999999999.999999'],
  ['amount', '-999999999999.999999', '-999999999999.999999'],
  ['amount', '00012.5', '12.5'],
  ['amount', 'NULL', 'null'],
  ['first_click', '1970-01-01 01:00:00', '"1970-01-01 01:00:00"'],
  ['first_click', '1970-01-01T00:00:00Z', '"1970-01-01 01:00:00"'],
  ['first_click', '1970-01-01T14:00:00+14:00', '"1970-01-01 01:00:00"'],
  ['first_click', '2106-02-07T06:28:14Z', '"2106-02-07 07:28:14"'],
  ['first_click', '2024-02-29 12:00:00', '"2024-02-29 12:00:00"'],
  ['first_click', '2000-02-29 12:00:00', '"2000-02-29 12:00:00"'],
  ['first_click', '2026-03-29 01:59:59', '"2026-03-29 01:59:59"'],
  ['first_click', '2026-03-29 03:00:00', '"2026-03-29 03:00:00"'],
  ['first_click', '2026-10-25 02:30:00', '"2026-10-25 02:30:00"'],
  ['first_click', '2026-07-01T00:00:00Z', '"2026-07-01 02:00:00"'],
  ['first_click', '2026-01-01T00:00:00.000+05:30', '"2025-12-31 19:30:00"'],
  ['first_click', '2026-01-01 00:00:00-09:30', '"2026-01-01 10:30:00"'],
  ['first_click', '2026-01-01 00:00:00.000000', '"2026-01-01 00:00:00"'],
  ['validation_date', '2026-01-01T00:00:00', '"2026-01-01 00:00:00"', { status: 1 }],
  ['ip_address', '0.0.0.0', '"0.0.0.0"'],
  ['ip_address', '255.255.255.255', '"255.255.255.255"'],
  ['ip_address', '::', '"::"'],
  ['ip_address', '2001:DB8::1', '"2001:DB8::1"'],
  ['ip_address', '::ffff:1.2.3.4', '"::ffff:1.2.3.4"'],
  ['country', 'fr', '"FR"'],
  ['country', 'gB', '"GB"'],
  ['country', 'XK', '"XK"'],
  ['country', '\\N', 'null'],
  ['status', '0', '"0"'],
  ['pid', 'null', '"null"'],
  ['pid', 'N/A', '"N/A"'],
  ['pid', ' ', '" "'],
  ['pid', 'a\0b', '"a\\u0000b"'],
  ['pid', 'a\u007f\u0080', '"a\u007f\u0080"'],
  ['pid', '\u{10FFFF}', '"\u{10FFFF}"'],
  ['pid', '{"a":1}', '"{\\"a\\":1}"'],
  ['pid', 'x'.repeat(100_000), `"${'x'.repeat(100_000)}"`],
  ['invoice_id', '007', '"007"'],
];

const rows = ACCEPTED.map(([field, inFile, , beside], at) =>
  fileRow({
    created_at: `2026-01-01 10:00:${String(at).padStart(2, '0')}`,
    updated_at: '2026-01-02 00:00:00',
    ...beside,
    [field]: inFile,
  }),
);

async function answers(): Promise<readonly string[]> {
  const path = '/api/admin/transactions?type=sales&start_date=2026-01-01&end_date=2026-01-01';
  const response = await imports.service.get(path, await imports.service.token({}));
  return (await response.text()).split('\n').filter((line) => line.includes('transaction_id'));
}

test.each([
  ['CSV', csv(rows)],
  ['NDJSON', ndjson(rows)],
  // The faulty row makes the import read all rows one by one.
  ['CSV beside a wrong row', csv([...rows, fileRow({ status: 7 })])],
])('values at the limits are kept exactly from %s', async (_, content) => {
  const report = await imports.importAll([content], { rejects: true });
  expect(report.imported).toBe(rows.length);
  const found = (await answers()).map((line, at) => {
    const [field] = ACCEPTED[at] ?? [''];
    return [field, new RegExp(`"${field}":("(?:[^"\\\\]|\\\\.)*"|[^,}]*)`).exec(line)?.[1]];
  });
  expect(found).toEqual(ACCEPTED.map(([field, , inAnswer]) => [field, inAnswer]));
  await imports.clear();
});

test('with --round, numbers are rounded to six decimals, half away from zero', async () => {
  const amounts = ['0.0000005', '-0.0000005', '0.00000049', '1.2345675', '999999999999.9999994'];
  const report = await imports.importAll(
    [csv(amounts.map((amount, at) => fileRow({ amount, created_at: `2026-01-01 10:00:0${at}` })))],
    { round: true },
  );
  expect(report.faults).toEqual([]);
  const found = (await answers()).map((line) => /"amount":([^,]*)/.exec(line)?.[1]);
  expect(found).toEqual(['0.000001', '-0.000001', '0', '1.234568', '999999999999.999999']);
  await imports.clear();
});

test('with --round, fractions of a second are cut off', async () => {
  const dates = ['2026-01-15 10:00:00.999', '2026-01-15T09:00:00.5Z', '15/01/2026 10:00:00,5'];
  const rows = dates.map((date, at) =>
    fileRow({ first_click: date, updated_at: `2026-02-01 00:00:0${at}.7` }),
  );
  // One file for each row, because a file has one order of dates.
  const report = await imports.importAll(
    rows.map((row) => csv([row])),
    { round: true },
  );
  expect(report).toMatchObject({ imported: rows.length });
  expect(await imports.read('admin', 'sales')).toMatchObject(
    dates.map((_, at) => ({
      first_click: '2026-01-15 10:00:00',
      updated_at: `2026-02-01 00:00:0${at}`,
    })),
  );
  await imports.clear();
});

test('with --round, numbers with too many digits after rounding and other texts are still refused', async () => {
  const rows = ['999999999999.9999995', '1.23456x'].map((amount) => fileRow({ amount }));
  const { faults } = await imports.importAll([csv(rows)], { round: true });
  const fault = { column: 'amount', reason: 'not_a_decimal' };
  expect(faults).toMatchObject([fault, fault]);
});
