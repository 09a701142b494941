import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { importReportText } from '../../../src/cli/output/import-report-text.ts';
import { NumberSample } from '../../../src/ingest/dialect/decide-numbers.ts';
import type { StatedDialect } from '../../../src/ingest/dialect/dialect.ts';
import type { Mapping } from '../../../src/ingest/files/mapping.ts';
import { startImports, type TestImports } from '../../support/databases/imports.ts';
import { csv } from '../../support/rows/csv.ts';
import { type FileRow, fileRow, ndjson } from '../../support/rows/file-rows.ts';
import { fc, runCount } from '../../support/run/properties.ts';
import { everyNth } from '../../support/run/sampled.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';
import { testInFull } from '../../support/run/test-in-full.ts';

let imports: TestImports;

beforeAll(async () => {
  imports = await startImports();
});

afterEach(async () => await imports.clear());

afterAll(async () => await imports.close());

const DATES = ['created_at', 'updated_at', 'validation_date'];
const DECIMALS = ['amount', 'remu_publisher'];

/** Files of one import, each in a dialect of its own. */
const FILES = fullOrShort(20, 2);

interface Dialect {
  readonly delimiter: string;
  readonly decimal: '.' | ',';
  readonly group: string;
  readonly currency: string;
  readonly order: 'YMD' | 'DMY' | 'MDY';
  readonly separator: string;
  readonly clock: 'seconds' | 'minutes' | '12 hours';
  readonly start: string;
}

/** Writes a row of plain values as a program with this dialect does. */
function lineOf(row: FileRow, dialect: Dialect): string {
  const cells = Object.entries(row).map(([name, value]) => {
    if (value === null) return '';
    if (DATES.includes(name)) return dateIn(String(value), dialect);
    if (DECIMALS.includes(name)) return numberIn(String(value), dialect);
    return String(value);
  });
  return cells
    .map((cell) => (cell.includes(dialect.delimiter) ? `"${cell}"` : cell))
    .join(dialect.delimiter);
}

function numberIn(text: string, { decimal, group, currency }: Dialect): string {
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, group);
  return `${grouped}${fraction === undefined ? '' : decimal + fraction}${currency}`;
}

function dateIn(text: string, { order, separator, clock }: Dialect): string {
  const [, year = '', month = '', day = '', hour = '', minute = '', second = ''] =
    /(\d+)-(\d+)-(\d+) (\d+):(\d+):(\d+)/.exec(text) ?? [];
  const parts = { YMD: [year, month, day], DMY: [day, month, year], MDY: [month, day, year] };
  const twelve = `${Number(hour) % 12 || 12}:${minute}:${second} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
  const times = { seconds: `${hour}:${minute}:${second}`, minutes: `${hour}:${minute}` };
  const time = clock === '12 hours' ? twelve : times[clock];
  return `${parts[order].join(separator)} ${time}`;
}

/** Some values mean the same in every dialect. Others, such as 7.123 or 1 February, have two meanings. */
const row = fc.record({
  amount: fc.constantFrom('1234.56', '0.5', '1234567.89', '12', '7.123'),
  remu_publisher: fc.constantFrom('-3.25', '1000', null),
  day: fc.constantFrom('2026-02-01 00:00:00', '2026-01-15 14:03:00', '2026-12-31 12:00:00'),
});

const dialect: fc.Arbitrary<Dialect> = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  decimal: fc.constantFrom('.', ','),
  group: fc.constantFrom('', ' ', '\u00A0', '\u202F', "'"),
  currency: fc.constantFrom('', ' €', '\u00A0EUR', '$'),
  order: fc.constantFrom('YMD', 'DMY', 'MDY'),
  separator: fc.constantFrom('/', '-', '.'),
  clock: fc.constantFrom('seconds', 'minutes', '12 hours'),
  start: fc.constantFrom('', '\uFEFF'),
});

/** The rows of a file, with an identifier of its own for each. */
function salesOf(
  all: readonly { day: string; amount: string; remu_publisher: string | null }[],
  first: number,
) {
  // The first row tells the decimal mark and the order of dates.
  const certain = { amount: '99.90', remu_publisher: '1.5', day: '2026-01-15 14:03:00' };
  return [certain, ...all].map(({ day, ...decimals }, at) =>
    fileRow({
      ...decimals,
      transaction_id: first + at,
      created_at: day,
      updated_at: day,
      status: 1,
      validation_date: day,
    }),
  );
}

test('a file in any dialect imports the same rows as the plain one', async () => {
  const written = fc.tuple(fc.array(row, { minLength: 1, maxLength: 4 }), dialect);
  await fc.assert(
    fc.asyncProperty(fc.array(written, { minLength: FILES, maxLength: FILES }), async (all) => {
      const files = all.map(([rows, given], at) => ({ rows: salesOf(rows, 100 * at + 1), given }));
      const header = Object.keys(files[0]?.rows[0] ?? {});
      const plain = files.map(({ rows }) => csv(rows));
      const inDialect = files.map(({ rows, given }) => {
        const lines = [header.join(given.delimiter), ...rows.map((one) => lineOf(one, given)), ''];
        return given.start + lines.join('\n');
      });
      await imports.clear();
      await imports.importAll(plain);
      const expected = await imports.read('admin', 'sales');
      await imports.clear();
      expect((await imports.importAll(inDialect)).faults).toEqual([]);
      expect(await imports.read('admin', 'sales')).toEqual(expected);
    }),
    { numRuns: runCount(1) },
  );
});

/** A file of one sale for each amount and date, with identifiers from `first` on. */
const fileOf = (all: readonly { amount?: string; day?: string }[], first = 1): string =>
  [
    'type;transaction_id;program_id;publisher_id;support_id;status;amount;created_at;updated_at',
    ...all.map(
      ({ amount = '1.5', day = '2026-01-15 14:03:21' }, at) =>
        `sales;${at + first};10;100;1;2;${amount};${day};${day}`,
    ),
  ].join('\n');

const refusal = async (
  all: Parameters<typeof fileOf>[0],
  dialect: StatedDialect = {},
): Promise<string> =>
  await imports.importAll([fileOf(all)], { given: { dialect } }).then(
    () => 'imported',
    (error: unknown) => String(error instanceof Error ? error.message : error),
  );

test('values with two meanings are refused, with both meanings and what to type', async () => {
  expect(await refusal([{ day: '01/02/2026' }, { day: '11/12/2026 10:00' }])).toMatchInlineSnapshot(
    `"file 1: created_at "01/02/2026" may be 1 February or 2 January, and no other date tells which. Say the order: --dates DD/MM/YYYY or --dates MM/DD/YYYY"`,
  );
  expect(await refusal([{ day: '03/03/2026' }])).toMatchInlineSnapshot(
    `"file 1: created_at "03/03/2026" does not tell whether the day or the month is first, and no other date does. Say the order: --dates DD/MM/YYYY or --dates MM/DD/YYYY"`,
  );
  expect(await refusal([{ day: '15/01/2026' }, { day: '01/15/2026' }])).toMatchInlineSnapshot(
    `"file 1: created_at "15/01/2026" has the day first, and created_at "01/15/2026" the month. Write all dates alike, or say which order is right: --dates DD/MM/YYYY or --dates MM/DD/YYYY"`,
  );
  expect(await refusal([{ amount: '1,234' }, { amount: '12' }])).toMatchInlineSnapshot(
    `"file 1: amount "1,234" may be 1234 or 1.234, and no other number tells which. Say what separates decimals: --decimal . for 1234, --decimal , for 1.234"`,
  );
  expect(await refusal([{ amount: '1.234', day: '15/01/2026' }])).toMatchInlineSnapshot(
    `"file 1: amount "1.234" may be 1234 or 1.234, and no other number tells which. Say what separates decimals: --decimal , for 1234, --decimal . for 1.234"`,
  );
  expect(await refusal([{ amount: '99,90' }, { amount: '99.90' }])).toMatchInlineSnapshot(
    `"file 1: amount "99,90" has a decimal comma, and amount "99.90" a decimal point. Write all numbers alike, or say which are right: --decimal , or --decimal ."`,
  );
  expect(await refusal([{ amount: '1 €' }, { amount: '1 $' }])).toMatchInlineSnapshot(
    `"file 1: amount "1 €" and amount "1 $" have different currencies. Import each currency into a database of its own."`,
  );
});

test('a decimal comma in a text of a table is refused, because it would change typed numbers', async () => {
  const imported = async (amount: string, stated: StatedDialect = {}) => {
    const { amount: c4, ...row } = fileRow({ amount, remu_publisher: '1.234' });
    const same = Object.keys(row).map((name) => [name, { from: name }]);
    const mapping: Mapping = { fields: { ...Object.fromEntries(same), amount: { from: 'c4' } } };
    const dialect = { delimiter: ',', encoding: 'utf-8', ...stated } as const;
    const file = csv([{ ...row, c4: c4 ?? null }]);
    return await imports.importAll([file], { given: { mapping, dialect, key: 'id' } });
  };
  await expect(imported('12,50')).rejects.toThrow(
    'file 1: amount "12,50" has a decimal comma, but numbers of a table must have decimal points. Convert it to a number in a view',
  );
  await expect(imported('1,234')).rejects.toThrow(
    "no other number tells which. If it is 1234, say so: --decimal '.'. If not, convert it to a number in a view",
  );
  const text = importReportText(await imported('12,50', { decimal: '.' }), {});
  expect(text).toContain('If not, convert it to a number in a view');
  expect(text).not.toContain("--decimal ','");
});

const amountsAndDays = async () =>
  (await imports.read('admin', 'sales'))
    .toSorted((one, other) => one.transaction_id - other.transaction_id)
    .map(({ amount, created_at }) => [amount, created_at]);

test('the stated dialect decides about values with two meanings', async () => {
  const all = [{ amount: '1,234', day: '01/02/2026' }, { amount: '1 234' }];
  const each: readonly { dialect: StatedDialect }[] = [
    { dialect: { decimal: ',', dates: 'DD/MM/YYYY' } },
    { dialect: { decimal: '.', dates: 'MM/DD/YYYY' } },
  ];
  const report = await imports.importAll([fileOf(all), fileOf(all, 3)], { each });
  expect(report).toMatchObject({ imported: 4 });
  expect(await amountsAndDays()).toEqual([
    [1.234, '2026-02-01 00:00:00'],
    [1234, '2026-01-15 14:03:21'],
    [1234, '2026-01-02 00:00:00'],
    [1234, '2026-01-15 14:03:21'],
  ]);
});

test('an unambiguous later value decides about ambiguous earlier ones', async () => {
  const early = Array.from({ length: 400 }, () => ({ day: '01/02/2026', amount: '1,234' }));
  expect(await refusal([...early, { day: '13/02/2026', amount: '0,5' }])).toBe('imported');
  expect((await amountsAndDays())[0]).toEqual([1.234, '2026-02-01 00:00:00']);
});

test('if the dates end with the year, whole numbers leave the decimal mark open', async () => {
  const early = Array.from({ length: 400 }, () => ({ day: '15/01/2026', amount: '12' }));
  expect(await refusal([...early, { day: '15/01/2026', amount: '1.234' }])).toContain(
    'amount "1.234" may be 1234 or 1.234',
  );
  const english = early.map((one) => ({ ...one, day: '2026-01-15 00:00:00' }));
  expect(await refusal([...english, { amount: '1.234' }])).toBe('imported');
  // The checks refuse all points in numbers without a decimal mark.
  const sample = new NumberSample();
  sample.add({ column: 'amount', text: '12' });
  expect(sample.decide('file', undefined, true)).toEqual({ decimal: undefined });
  expect(sample.decide('file', undefined, false)).toBeUndefined();
});

test('values that contradict the rest of the file are faults', async () => {
  const days = ['15/01/2026', '01/15/2026', '31/02/2026', '15/01/26', '2026-01-15 25:00'];
  const amounts = ['99,90', '99.90', '1.00', '12,5 $', '1,2,3'];
  const early = Array.from({ length: 400 }, () => ({ day: '15/01/2026', amount: '0,5' }));
  const late = days.map((day, at) => ({ day, amount: amounts[at] ?? '' }));
  const { faults } = await imports.importAll([fileOf([...early, ...late])]);
  expect(
    faults
      .filter(({ column }) => column !== 'updated_at')
      .map(({ line, column, value }) => `${line} ${column} ${value}`),
  ).toMatchInlineSnapshot(`
    [
      "403 amount 99.90 (decimal point)",
      "403 created_at 01/15/2026",
      "404 amount 1.00 (decimal point)",
      "404 created_at 2026-02-31 00:00:00",
      "405 amount 12,5 $",
      "405 created_at 15/01/26",
      "406 amount 1,2,3",
      "406 created_at 2026-01-15 25:00",
    ]
  `);
});

test('what cannot group digits is a fault, whatever the decimal mark of the file', async () => {
  const all = [
    [',', '0.123'],
    [',', '-0.500'],
    ['.', '0,123'],
    [',', '0 123'],
  ] as const;
  const cases = everyNth(all, 2);
  const row = { status: 2, validation_date: null };
  const files = cases.map(([, amount]) =>
    csv([fileRow({ ...row, amount: '1' }), fileRow({ ...row, amount })]),
  );
  const each = cases.map(([decimal]) => ({ dialect: { decimal } }));
  const { faults } = await imports.importAll(files, { each });
  const fault = { line: 3, column: 'amount', reason: 'not_a_decimal' };
  expect(faults).toMatchObject(cases.map((_, at) => ({ ...fault, file: `file ${at + 1}` })));
});

test('a French export is imported with a mapping of its columns', async () => {
  const french = [
    'Identifiant;Programme;Site;Montant;État;Date de création;Date de validation',
    '7;10;100;"1\u202F299,90 €";Validé;15/01/2026 14:03;16/01/2026',
    '8;10;100;99,90 €;En attente;02/01/2026 08:00;',
  ].join('\n');
  const mapping: Mapping = {
    fields: {
      type: { value: 'sales' },
      transaction_id: { from: 'Identifiant' },
      program_id: { from: 'Programme' },
      publisher_id: { from: 'Site' },
      support_id: { value: '1' },
      amount: { from: 'Montant' },
      status: { from: 'État', codes: { Validé: '1', 'En attente': '2' } },
      created_at: { from: 'Date de création' },
      updated_at: { from: 'Date de création' },
      validation_date: { from: 'Date de validation' },
    },
    timeZone: 'UTC',
  };
  await imports.importAll([french], { given: { mapping } });
  expect(await amountsAndDays()).toEqual([
    [1299.9, '2026-01-15 15:03:00'],
    [99.9, '2026-01-02 09:00:00'],
  ]);
});

test('the time zone of a mapping also applies to dates that are constant or codes', async () => {
  const mapping: Mapping = {
    fields: {
      type: { value: 'sales' },
      transaction_id: { from: 'id' },
      program_id: { value: '10' },
      publisher_id: { value: '100' },
      support_id: { value: '1' },
      status: { value: '2' },
      created_at: { value: '2026-01-15 14:03:00' },
      updated_at: { value: '2026-01-15T14:03:00+02:00' },
      first_click: { from: 'campaign', codes: { winter: '2026-01-10 08:00:00' } },
    },
    timeZone: 'UTC',
  };
  const file = 'id,campaign\n7,winter\n';
  expect((await imports.importAll([file], { given: { mapping } })).faults).toEqual([]);
  expect(await imports.read('admin', 'sales')).toMatchObject([
    {
      created_at: '2026-01-15 15:03:00',
      updated_at: '2026-01-15 13:03:00',
      first_click: '2026-01-10 09:00:00',
    },
  ]);
});

// Only in the full run. In `npm test`, json-lines.test.ts imports NDJSON with decimal commas.
testInFull('NDJSON may be written in a dialect too', async () => {
  const sale = fileRow({ transaction_id: 1 });
  const rows = [
    { ...sale, amount: '99,90', remu_publisher: '1,5', created_at: '15/01/2026' },
    { ...sale, transaction_id: 2, amount: '1.000,00', created_at: '01/02/2026' },
  ];
  await imports.importAll([ndjson(rows)]);
  expect(await amountsAndDays()).toEqual([
    [99.9, '2026-01-15 00:00:00'],
    [1000, '2026-02-01 00:00:00'],
  ]);
});
