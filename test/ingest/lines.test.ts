import { afterAll, beforeAll, expect, test } from 'vitest';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { everyNth } from '../support/run/sampled.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

let imports: TestImports;

beforeAll(async () => {
  imports = await startImports();
});

afterAll(async () => await imports.close());

const HEADER =
  'type,transaction_id,program_id,publisher_id,support_id,status,created_at,updated_at,pid';

let rows = 0;

/** A valid row without its line end. */
function good(pid = ''): string {
  rows += 1;
  return `sales,${rows},10,100,1,2,2026-01-15 12:00:00,2026-01-15 12:00:00,${pid}`;
}

const wrong = (): string => good().replace(/\d+/, 'x');

/** The faults of each file as `line column reason`. Texts are Latin-1, one character per byte. */
async function faultsOf(files: Readonly<Record<string, string>>) {
  const contents = Object.values(files).map((text) => Buffer.from(text, 'latin1'));
  const report = await imports.importAll(contents);
  const faultsOfFile = (at: number) =>
    report.faults
      .filter(({ file }) => file === `file ${at + 1}`)
      .map(({ line, column, reason }) => `${line} ${column || 'row'} ${reason}`);
  return Object.fromEntries(Object.keys(files).map((name, at) => [name, faultsOfFile(at)]));
}

const faultsOfOne = async (text: string) => (await faultsOf({ text })).text;

test('the line of a faulty row is correct, whatever precedes it', async () => {
  const all = {
    3: [HEADER, good(), wrong(), ''].join('\n'),
    '3 without a line end': [HEADER, good(), wrong()].join('\n'),
    '3 after CRLF': [HEADER, good(), wrong(), ''].join('\r\n'),
    '4 after line ends of both kinds': `${HEADER}\n${good()}\r\n${good()}\n${wrong()}\r\n`,
    '7 after blank lines': [HEADER, '', good(), '', ' ', '', wrong(), '', ''].join('\n'),
    '5 after blank lines with CRLF': [HEADER, '', good(), '', wrong(), ''].join('\r\n'),
    '5 after a cell of three lines': [HEADER, good('"a\n\nb"'), wrong(), ''].join('\n'),
    '4 after a cell with CRLF': [HEADER, good('"a\r\nb"'), wrong(), ''].join('\r\n'),
    '4 after a cell that begins with a line break': [HEADER, good('"\n"'), wrong()].join('\n'),
    '4 after quotes in a quoted cell': [HEADER, good('"say ""a\nb"""'), wrong()].join('\n'),
    '3 after a byte order mark': [`\xef\xbb\xbf${HEADER}`, good(), wrong()].join('\n'),
    '3 after a quoted header': [HEADER.replaceAll(/\w+/g, '"$&"'), good(), wrong()].join('\n'),
    '3 with one delimiter more at every end': [HEADER, `${good()},`, `${wrong()},`].join('\n'),
    '3 with one delimiter more in the header too': [`${HEADER},`, `${good()},`, `${wrong()},`].join(
      '\n',
    ),
    '2 in a cell of two lines': [HEADER, wrong().replace('x', '"x\n"'), good()].join('\n'),
  };
  const files = Object.fromEntries(everyNth(Object.entries(all), 3, 1));
  const expected = Object.keys(files).map((name) => [
    name,
    [`${Number.parseInt(name, 10)} transaction_id not_an_integer`],
  ]);
  expect(await faultsOf(files)).toEqual(Object.fromEntries(expected));
});

test('a row with more or fewer cells than the header is reported, and its neighbours are not', async () => {
  const ragged = (row: string) => [HEADER, good(), row, good(), ''].join('\n');
  const files = [
    ['few', ragged('sales,2,10,100,1')],
    ['a word', ragged('sales')],
    ['many', ragged(`${good()},,`)],
    ['text in the last', ragged(`${good()},x`)],
  ] as const;
  const tried = everyNth(files, 2, 1);
  const fault = ['3 row wrong_number_of_cells'];
  const expected = tried.map(([name]) => [name, fault]);
  expect(await faultsOf(Object.fromEntries(tried))).toEqual(Object.fromEntries(expected));
});

test('a row with wrong quoting is malformed, and its neighbours are not', async () => {
  const broken = (row: string) => [HEADER, good('"a"'), row, good('"b"'), wrong(), ''].join('\n');
  const files = {
    'text after a closing quote': broken(good('"a"b')),
    'a quote that is closed in the next row': broken(good('"a')),
    'a carriage return in a plain cell': broken(good('a\rb')),
  };
  const faults = ['3 row malformed', '5 transaction_id not_an_integer'];
  expect(Object.values(await faultsOf(files))).toEqual([faults, faults, faults]);
});

test('a quote that is never closed makes only its own row malformed', async () => {
  const count = fullOrShort(10_000, 3000);
  const after = Array.from({ length: count }, () => good('e'.repeat(200)));
  const text = [HEADER, good(), good('"a'), ...after, wrong(), ''].join('\n');
  expect(await faultsOfOne(text)).toEqual([
    '3 row malformed',
    `${count + 4} transaction_id not_an_integer`,
  ]);
});

test('the beginning of a malformed row is shown', async () => {
  const row = `"${good()}`;
  const { faults } = await imports.importAll([[HEADER, row].join('\n')]);
  expect(faults[0]?.value).toBe(row.slice(0, 60));
});

test('a cell that is not UTF-8 is reported with its column, and a number as not a number', async () => {
  const bytes = ['caf\xe9', '\xc3', '\xed\xa0\x80', '\xc0\xaf', '\xf5\x80\x80\x80', '"\xff"'];
  const files = {
    texts: [HEADER, ...bytes.map(good), ''].join('\n'),
    number: [HEADER, wrong().replace('x', '\xff'), ''].join('\n'),
  };
  expect(await faultsOf(files)).toEqual({
    texts: bytes.map((_, at) => `${at + 2} pid not_utf8`),
    number: ['2 transaction_id not_an_integer'],
  });
});

test('a file with carriage returns as line ends is refused with the command to convert it', async () => {
  const text = [HEADER, good(), good(), ''].join('\r');
  await expect(imports.importAll([text])).rejects.toThrow("tr '\\r' '\\n'");
});

test('columns may be in any order, and separated by semicolons', async () => {
  const columns = HEADER.split(',').reverse();
  const all = [fileRow({ pid: 'a;b' }), fileRow({ pid: 'c', status: 7 })];
  const { faults } = await imports.importAll([csv(all, { columns, delimiter: ';' })]);
  expect(faults).toMatchObject([{ line: 3, column: 'status', reason: 'not_a_status', value: '7' }]);
});
