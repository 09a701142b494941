import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Field, STORED_FIELDS } from '../../../src/contract/record/fields.ts';
import { RECORD_FIELDS, ROLES, type Role } from '../../../src/contract/record/records.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow, ndjson } from '../../support/rows/file-rows.ts';

const controls = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code));

const TEXTS: Readonly<Record<string, string>> = {
  'a double quote': 'say "hello"',
  'only a quote': '"',
  'a backslash': 'C:\\temp\\new',
  'a backslash at the end': 'ends with \\',
  'a backslash before a quote': '\\"',
  'what looks like an escape': '\\u0041 \\n \\/ \\x41',
  'single quotes': "it's 'quoted'",
  'all control characters': controls.join(''),
  'a control character between others': 'a\u0000b\tc\nd\re\u001ff',
  'control characters, quotes and backslashes': '\n"\\\t"\\\\\r\u0001',
  DEL: 'a\u007fb',
  'C1 controls': '\u0080\u0085\u009f',
  emoji: '👩‍👩‍👧‍👦 🇫🇷 👍🏽',
  'right to left': 'مرحبا \u202eשלום\u202c',
  'line and paragraph separators': 'a\u2028b\u2029c',
  'a byte order mark and zero widths': '\ufeffa\u200bb\u200d',
  'a closing script element': '</script><script>alert(1)</script><!--',
  'forward slashes': 'https://example.com/a/b?c=d&e=f#g',
  'ten kilobytes': 'Zoé "10" \\ \u0007 '.repeat(700).slice(0, 10_240),
  'JSON itself': '{"a":[1,null,"b"],"c":true}',
  'the end of a record': '"},\n{"transaction_id":1',
  'the last characters of Unicode': '\uffff\u{10ffff}\ufffd',
  'composed and decomposed accents': 'é e\u0301',
  'spaces around': '  padded  ',
  'the word null': 'null',
  'what looks like a bound value': '{p1:String} %s $1 ?',
};

const NAMES = Object.keys(TEXTS);

const isText = ({ type }: Field): boolean => type === 'text' || type === 'word';
const TEXT_FIELDS = STORED_FIELDS.filter(isText);

let service: TestService;
const answers = {} as Record<Role, readonly Readonly<Record<string, unknown>>[]>;
const bodies = {} as Record<Role, Buffer>;

beforeAll(async () => {
  service = await startService();
  const rows = NAMES.map((name, at) => ({
    ...fileRow({ transaction_id: at }),
    ...Object.fromEntries(TEXT_FIELDS.map((field) => [field.name, TEXTS[name] ?? ''])),
  }));
  // Each row has a control character in one field only, because one search over all texts of a row decides whether
  // they are escaped.
  const alone = TEXT_FIELDS.map((field, at) =>
    fileRow({ transaction_id: 1000 + at, [field.name]: 'tab\there' }),
  );
  await service.importText(ndjson([...rows, ...alone]));
  for (const role of ROLES) {
    const token = await service.token({ role: role, publisherIds: [100] });
    const path = `/api/${role}/transactions?type=sales&start_date=2026-01-15&end_date=2026-01-15`;
    bodies[role] = Buffer.from(await (await service.get(path, token)).arrayBuffer());
    answers[role] = JSON.parse(bodies[role].toString());
  }
});

afterAll(async () => await service.close());

describe.each(ROLES)('the record of the %s', (role) => {
  const fields = RECORD_FIELDS[role].filter(({ field }) => isText(field));

  test.each(NAMES)('has %s unchanged in every text field', (text) => {
    const row = answers[role][NAMES.indexOf(text)];
    const shown = Object.fromEntries(fields.map(({ name }) => [name, row?.[name]]));
    expect(shown).toEqual(Object.fromEntries(fields.map(({ name }) => [name, TEXTS[text]])));
  });

  test.each(fields)('escapes a control character that occurs only in $name', ({ name, field }) => {
    const id = 1000 + TEXT_FIELDS.findIndex((known) => known.name === field.name);
    const row = answers[role].find(({ transaction_id }) => transaction_id === id);
    expect(row?.[name]).toBe('tab\there');
  });

  test('contains no raw control character, and is UTF-8', () => {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bodies[role]);
    const controlled = [...text].filter((character) => character < ' ' && character !== '\n');
    expect(controlled).toEqual([]);
    // One line per record: the only line ends are those of the array.
    expect(text.split('\n')).toHaveLength(answers[role].length + 3);
  });
});
