import { readdir } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { importHome } from '../support/databases/import-home.ts';
import { MAPPING } from '../support/databases/source-tables.ts';
import { csv } from '../support/rows/csv.ts';
import { everyNth } from '../support/run/sampled.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

const home = importHome('UTC');

const row = (given: Readonly<Record<string, string | number | null>>) => ({
  'Order No': 1,
  campaign: 10,
  site: 100,
  amount: '1.5',
  share: null,
  label: 'x',
  ip: null,
  state: 'open',
  decided: null,
  made: '2026-01-01 00:00:00',
  changed: '2026-01-01 00:00:00',
  'not taken': 'anything',
  ...given,
});

const rows = [row({}), row({ 'Order No': 2, state: 'approved', decided: '2026-01-02 00:00:00' })];
const lines = (all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('');

const mapped = async (mapping: unknown) => {
  await home.put('mapping.json', typeof mapping === 'string' ? mapping : JSON.stringify(mapping));
  return ['--mapping', 'mapping.json'];
};

const FILES = [
  ['CSV', csv(rows)],
  ['CSV with semicolons', csv(rows, { delimiter: ';' })],
  ['NDJSON', lines(rows)],
] as const;

// Only in the full run. In `npm test`, a test below imports CSV with a mapping, and without its other columns.
test.runIf(IS_FULL).each(FILES)(
  'a file of %s is imported with a mapping, without its other columns',
  async (_, content) => {
    await home.put('orders', content);
    const flags = await mapped(MAPPING);
    expect(await home.summary(['orders', ...flags])).toMatchObject({ rows: 2, imported: 2 });
  },
);

const FAULTY = [
  ['CSV', csv([...rows, row({ 'Order No': 3, state: '0' })]), 4],
  ['NDJSON', lines([...rows, row({ 'Order No': 3, state: '0' })]), 3],
] as const;

// Only in the full run. In `npm test`, import.test.ts reports faults by line, and the files above have codes.
test.runIf(IS_FULL).each(FAULTY)(
  'a code that the mapping does not list is a fault, even a valid one, in %s',
  async (_, content, line) => {
    await home.put('orders', content);
    const { code, output } = await home.run(['orders', ...(await mapped(MAPPING))]);
    expect(code).toBe(1);
    expect(output).toContain(`orders:${line} status "0" is a code that the mapping does not list`);
  },
);

// Only in the full run. In `npm test`, import-databases.test.ts imports times in the time zone of a mapping.
test.runIf(IS_FULL)(
  'a time that does not exist in the time zone of the source is a fault',
  async () => {
    await home.put('orders', csv([row({ made: '2026-03-08 02:30:00' })]));
    const flags = await mapped({ ...MAPPING, time_zone: 'America/New_York' });
    const { output } = await home.run(['orders', ...flags]);
    expect(output).toContain('created_at "2026-03-08 02:30:00 America/New_York" must be a date');
  },
);

// Only in the full run. In `npm test`, the files above have a mapping with codes.
test.runIf(IS_FULL)('a mapping may list a code for empty cells', async () => {
  await home.put('orders', csv([row({ state: null })]));
  const status = { from: 'state', codes: { '': 2 } };
  const flags = await mapped({ ...MAPPING, fields: { ...MAPPING.fields, status } });
  expect(await home.summary(['orders', ...flags])).toMatchObject({ imported: 1 });
});

test('texts of a mapping are quoted in SQL', async () => {
  const from = "a'); DROP TABLE transactions; -- \\";
  await home.put('orders', csv([{ ...row({}), [from]: "'" }]));
  const fields = {
    ...MAPPING.fields,
    pid: { from, codes: { "'": "\\'; --" } },
    clickid: { value: "\\'" },
  };
  const flags = await mapped({ ...MAPPING, fields });
  expect(await home.summary(['orders', ...flags])).toMatchObject({ imported: 1 });
});

const { fields } = MAPPING;

const WRONG_MAPPINGS = [
  ['{', 'is not JSON'],
  ['[]', 'must be an object with "fields"'],
  [{ fields, timezone: 'UTC' }, 'unknown member "timezone". Did you mean "time_zone"?'],
  [{ fields, time_zone: 'Paris' }, '"Europe/Paris"'],
  [
    { fields, dates: 'DD/MM/YY', decimal: ';' },
    'invalid "decimal": must be one of "." ",".\n  It has an invalid "dates": must be one of',
  ],
  [{ fields: { ...fields, staus: 'x' } }, 'unknown field "staus". Did you mean "status"?'],
  [{ fields: { ...fields, pid: 5 } }, 'has an invalid "pid": must be the name'],
  [{ fields: { ...fields, pid: { form: 'x' } } }, '"form" is unknown. Did you mean "from"?'],
  [{ fields: { ...fields, pid: { from: 'x', value: 1 } } }, 'either "from", a column, or "value"'],
  [{ fields: { ...fields, pid: { from: 'x', codes: [] } } }, '"codes" must be an object'],
  [{ fields: { ...fields, pid: { value: 12, when_status: 1 } } }, '"when_status" needs "from"'],
  [
    { fields: { ...fields, type: undefined } },
    '"type", which every transaction needs. Map it, or name',
  ],
  [
    { fields: { ...fields, coupon: 'lable' } },
    'uses the column "lable", which does not exist. Did you mean "label"?',
  ],
] as const;

test.each(everyNth(WRONG_MAPPINGS, 4))('the mapping %j is refused', async (mapping, problem) => {
  await home.put('orders', csv(rows));
  const { code, errors } = await home.run(['orders', ...(await mapped(mapping))]);
  expect(code).toBe(1);
  expect(errors).toContain(problem);
});

// continuous/since.test.ts checks which dates are accepted.
test.each(everyNth(['2026-02-30', 'yesterday', '2026-1-1', '2026-01-01T25:00:00Z', ''], 5))(
  '--since %j is refused, and creates no database',
  async (since) => {
    const args = ['s3://bucket/x?endpoint=http://127.0.0.1:1', '--since', since];
    const { code, errors } = await home.run([...args, '--database', 'chdb:./new']);
    expect([code, errors]).toEqual([
      1,
      expect.stringContaining('--since is not a valid date or time'),
    ]);
    expect(await readdir(home.path)).not.toContain('new');
  },
);

test('--since is refused for files, and unknown URLs are refused', async () => {
  await home.put('orders', csv(rows));
  expect((await home.run(['orders', '--since', '2026-01-01'])).errors).toContain('--since is for');
  expect((await home.run(['postgre://a@b/c?table=d'])).errors).toContain(
    'Did you mean "postgres"?',
  );
});

test('an unknown column leads to a suggested mapping, which imports the file', async () => {
  const french = [
    'Identifiant;Programme;Site;Support;Montant;Statut;Date de création;Date de modification;Note',
    '7;10;100;1;99,90;En attente;15/01/2026 14:03;16/01/2026;x',
  ].join('\n');
  await home.put('ventes.csv', Buffer.from(`${french}\n`, 'latin1'));
  const refused = await home.run(['ventes.csv', '--type', 'sales']);
  expect(refused.errors).toContain('unknown column "Date de création"');
  expect(refused.errors).toContain('--suggest-mapping FILE');
  const suggesting = ['ventes.csv', '--type', 'sales', '--suggest-mapping', 'suggested.json'];
  const { code, output } = await home.run(suggesting, '', { FORCE_COLOR: '1' });
  expect(output).toContain('\u{1b}[32mWrote suggested.json.');
  expect([code, stripVTControlCharacters(output)]).toMatchInlineSnapshot(`
    [
      0,
      "Wrote suggested.json. Nothing was imported. Check it before you use it:
      transaction_id from "Identifiant"
      program_id from "Programme"
      publisher_id from "Site"
      support_id from "Support"
      amount from "Montant"
      status from "Statut"
      created_at from "Date de création"
      updated_at from "Date de modification"
    Not used: "Note"
    Then: transactions import ventes.csv --type sales --mapping suggested.json
    ",
    ]
  `);
  const mapping = ['--mapping', 'suggested.json'];
  expect(await home.summary(['ventes.csv', '--type', 'sales', ...mapping])).toMatchObject({
    imported: 1,
  });
  expect((await home.run(suggesting)).errors).toContain('it exists already');
  const piped = await home.run(['-', '--suggest-mapping', 'other.json'], french);
  expect(piped.errors).toContain('--suggest-mapping reads a file');
});
