import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonRow } from '../../src/ingest/files/json/json-row.ts';
import type { Mapping } from '../../src/ingest/files/mapping.ts';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { everyNth } from '../support/run/sampled.ts';

let imports: TestImports;

beforeAll(async () => {
  imports = await startImports();
});

afterAll(async () => await imports.close());

/** A valid object without its line end; `more` is inserted before its closing brace. */
const good = (more = ''): string => ndjson([fileRow({})]).replace('}\n', `${more}}`);

const withId = (value: string): string =>
  good().replace(/"transaction_id":\d+/, `"transaction_id":${value}`);

const wrong = (): string => withId('"x"');

/** The faults as `line column reason`. The text is Latin-1, one character per byte. */
async function faultsOf(...texts: readonly string[]): Promise<readonly string[]> {
  const { faults } = await imports.importAll(texts.map((text) => Buffer.from(text, 'latin1')));
  return faults.map(({ line, column, reason }) => `${line} ${column || 'row'} ${reason}`);
}

test('the line of a faulty object is correct, whatever precedes it', async () => {
  const all = [
    // Without a last line end, and after CRLF, blank lines and a byte order mark.
    { text: [good(), wrong()].join('\n'), line: 2 },
    { text: [good(), wrong(), ''].join('\r\n'), line: 2 },
    { text: ['', good(), '', ' ', wrong(), ''].join('\n'), line: 5 },
    { text: [`\xef\xbb\xbf${good()}`, wrong(), ''].join('\n'), line: 2 },
  ];
  const files = everyNth(all, 2, 1);
  expect(await faultsOf(...files.map(({ text }) => text))).toEqual(
    files.map(({ line }) => `${line} transaction_id not_an_integer`),
  );
});

test('a fault is reported with its line and field, and other lines are accepted', async () => {
  const lines = {
    'no JSON': ['{"type": sales}', 'row malformed'],
    'an object that is cut off': [good().slice(0, 40), 'row malformed'],
    'an array': ['[1]', 'row malformed'],
    'a number': ['7', 'row malformed'],
    'a Boolean': [good(',"pid":true'), 'pid malformed'],
    'a list in a field': [good(',"pid":["a"]'), 'pid malformed'],
    'an object in a field': [good(',"pid":{"a":1}'), 'pid malformed'],
    'a field that no transaction has': [good(',"pidd":"a"'), 'pidd unknown_field'],
    'a number with an exponent': [withId('1e3'), 'transaction_id not_an_integer'],
    'a whole number with a point': [withId('1.0'), 'transaction_id not_an_integer'],
    'an integer that many readers round': [
      withId('9007199254740993'),
      'transaction_id not_an_integer',
    ],
    'a decimal that many readers round': [
      good(',"amount":0.12345678901234567'),
      'amount too_many_decimals',
    ],
    'invalid UTF-8 in a field': [good(',"pid":"caf\xe9"'), 'pid not_utf8'],
    'invalid UTF-8 between fields': ['{\xff}', 'row not_utf8'],
    'half a surrogate pair': [good(',"pid":"\\ud83d"'), 'pid not_utf8'],
  };
  const text = Object.values(lines)
    .map(([line]) => `${good()}\n${line}\n`)
    .join('');
  const expected = Object.values(lines).map(([, fault], at) => `${2 * at + 2} ${fault}`);
  expect(await faultsOf(text)).toEqual(expected);
});

test('a fault names its column, whatever the letters of its name', () => {
  const column = Buffer.from('Тип').toString('latin1');
  for (const value of ['true', '"\\ud83d"']) {
    const { fault } = jsonRow(1, `{"${column}":${value}}`, ['Тип'], true);
    expect(fault?.column).toBe(column);
  }
});

test('invalid UTF-8 is a fault only in a field that the mapping uses', () => {
  const text = '{"pid":"\xc3\xa9","note":"caf\xe9"}';
  expect(jsonRow(1, text, ['pid'], true)).toEqual({ line: 1, cells: ['\xc3\xa9'] });
  const used = jsonRow(1, text, ['pid', 'note'], true);
  expect(used.fault).toEqual({ column: 'note', reason: 'not_utf8' });
  expect(jsonRow(1, '{\xff}', ['pid'], true).fault).toEqual({ column: '', reason: 'not_utf8' });
  const valid = '\xef\xbf\xbd';
  const beside = `{"pid":"${valid}","note":"caf\xe9"}`;
  expect(jsonRow(1, beside, ['pid'], true)).toEqual({ line: 1, cells: [valid] });
});

test('in a file with decimal commas, a number with a point is refused, even if the point could group digits', async () => {
  const sale = (amount: number | string) =>
    ndjson([{ ...fileRow({ remu_publisher: '2,50', remu_program: '3,10' }), amount }]);
  const text = `${sale('1.234,50')}${sale(7)}`;
  const read = async () => (await imports.read('admin', 'sales')).map(({ amount }) => amount);
  for (const dialect of everyNth([undefined, { decimal: ',' } as const], 2)) {
    expect(await imports.importAll([text], { given: { dialect } })).toMatchObject({ imported: 2 });
    expect(await read()).toEqual([1234.5, 7]);
    await imports.clear();
    const { faults } = await imports.importAll([`${text}${sale(1.234)}`], { given: { dialect } });
    expect(faults).toMatchObject([
      { line: 3, column: 'amount', reason: 'not_a_decimal', value: '1.234 (decimal point)' },
    ]);
    expect(await imports.visible()).toMatchObject({ admin: 0 });
  }
});

test('a column of the mapping that is probably misspelled is refused, as in CSV', async () => {
  const columns = Object.keys(fileRow({}));
  const mappingOf = (from: string): Mapping => ({
    fields: {
      ...Object.fromEntries(columns.map((name) => [name, { from: name }])),
      amount: { from },
    },
  });
  const importOf = async (from: string, ...lines: readonly string[]) =>
    await imports.importAll([lines.join('\n')], { given: { mapping: mappingOf(from) } });
  const rows = () => Array.from({ length: 300 }, () => good(',"Amount":12.5'));
  for (const from of ['Amout', 'amount', 'a_mount']) {
    await expect(importOf(from, ...rows())).rejects.toThrow(
      `file 1: the mapping uses the column "${from}", which does not exist. Did you mean "Amount"?`,
    );
  }
  // A field that few rows have may be missing from the first ones.
  for (const from of ['Amount2', 'Total']) {
    const report = await importOf(from, ...rows(), good(`,"${from}":7`));
    expect(report).toMatchObject({
      imported: 301,
      readAs: [`file 1: without the column "${from}" in its first rows`],
    });
  }
  const usual = await importOf('Amount', good(',"amount":null'), good(',"Amount":7'));
  expect(usual).toMatchObject({ imported: 2 });
  expect(usual.readAs).toBeUndefined();
  await imports.clear();
});

test('JSON that does not have one object per line is refused with a command that converts it', async () => {
  const pretty = (row: string) => JSON.stringify(JSON.parse(row), null, 2);
  const bad = good().replace('"sales"', '"sale"');
  const [jq, sed] = ['Write it as NDJSON: jq -c . FILE', "sed 's/,[[:space:]]*$//' FILE"];
  const all = [
    { lines: [pretty(good()), pretty(good())], line: 1, advice: jq },
    { lines: [good(), '', pretty(good())], line: 3, advice: jq },
    { lines: [`${good()} ${good()}`], line: 1, advice: jq },
    { lines: [`${good()},`, `${good()},`], line: 1, advice: sed },
  ];
  for (const { lines, line, advice } of all) {
    for (const content of [lines, [...lines, bad]]) {
      const message = await imports.importAll([content.join('\n')], { rejects: true }).then(
        () => 'imported',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      );
      expect(message).toMatch(/^file 1: /);
      expect(message).toContain(`line ${line}.`);
      expect(message).toContain(advice);
    }
  }
});

test.each(['\n', '\r\n'])(
  'the advised command removes commas before the line break %j',
  async (end) => {
    const content = [good(), good(), ''].join(`,${end}`);
    const error = await imports.importAll([content]).catch((refused: unknown) => refused);
    const script = /sed '(.+)' FILE/.exec(String(error))?.[1] ?? '';
    const { stdout } = spawnSync('sed', [script], { input: content, encoding: 'utf8' });
    expect(await imports.importAll([stdout])).toMatchObject({ imported: 2 });
    await imports.clear();
  },
);

test('a first line that is no part of correct JSON is a wrong row like any other', async () => {
  const cut = good().slice(0, -1);
  const texts = ['{"type": sales}', cut, `${cut},`, '{'].map((first) => `${first}\n${good()}\n`);
  expect(await faultsOf(...texts)).toEqual(texts.map(() => '1 row malformed'));
});

test('a line that is not JSON does not affect other lines', async () => {
  const report = await imports.importAll([`${good()}\n${good(',"pid":"\\ud83d"')}\n${good()}\n`], {
    rejects: true,
  });
  expect(report).toMatchObject({ rows: 3, imported: 2, rejected: 1 });
  await imports.clear();
});
