import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { detectEncoding } from '../../../src/ingest/dialect/encoding.ts';
import { detectFileFormat } from '../../../src/ingest/files/detect-file-format.ts';
import { utf8Copy } from '../../../src/ingest/files/utf8-copy.ts';
import { startImports, type TestImports } from '../../support/databases/imports.ts';
import { csv } from '../../support/rows/csv.ts';
import { fileRow } from '../../support/rows/file-rows.ts';
import { sampled } from '../../support/run/sampled.ts';

let imports: TestImports;

beforeAll(async () => {
  imports = await startImports();
});

afterEach(async () => await imports.clear());

afterAll(async () => await imports.close());

const TEXT = csv([
  fileRow({ transaction_id: 1, pid: 'Été à la crèche', amount: '12,50 €' }),
  fileRow({ transaction_id: 2, pid: 'Müller «Straße»', amount: '1 000,00 €' }),
]);

/** A text in Windows-1252. For the characters of these tests it equals Latin-1, except that € is the byte 0x80. */
const western = (text: string): Buffer => Buffer.from(text.replaceAll('€', '\x80'), 'latin1');

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

const FILES = [
  ['Windows-1252', western(TEXT), 'windows-1252'],
  ['Windows-1252, gzip', gzipSync(western(TEXT)), 'windows-1252'],
  ['UTF-16', Buffer.from(`\uFEFF${TEXT}`, 'utf16le'), 'utf-16le'],
  ['UTF-16 without a byte order mark', Buffer.from(TEXT, 'utf16le'), 'utf-16le'],
  ['UTF-16, the other byte order', utf16be(`\uFEFF${TEXT}`), 'utf-16be'],
  ['UTF-8', Buffer.from(TEXT), undefined],
] as const;

test.each(sampled(FILES, ([, , encoding]) => encoding))(
  'a file in %s is read',
  async (_, content, encoding) => {
    const report = await imports.importAll([content]);
    const readAs = [encoding, 'decimal comma', 'currency €'].filter((part) => part !== undefined);
    expect(report).toMatchObject({ faults: [], readAs: [`file 1: ${readAs.join(', ')}`] });
    const found = await imports.read('admin', 'sales');
    expect(found.map(({ pid, amount }) => [pid, amount])).toEqual([
      ['Été à la crèche', 12.5],
      ['Müller «Straße»', 1000],
    ]);
  },
);

test('an uncertain encoding must be stated', async () => {
  const header = `${Object.keys(fileRow({})).join(';')};Gutschein-Straße`;
  const cyrillic = Buffer.from([...Buffer.from(header), 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x0a]);
  await expect(imports.importAll([cyrillic])).rejects.toThrowErrorMatchingInlineSnapshot(
    `[ImportRefused: file 1: is neither UTF-8 nor UTF-16. Name its encoding, such as --encoding windows-1252 (Western Europe), windows-1250 (Central Europe) or macintosh]`,
  );
  const greek = TEXT.replaceAll(/[ß-ü«»€]/g, '').replace('Ét', '\xc1\xe2\xe3');
  const { faults } = await imports.importAll([Buffer.from(greek, 'latin1')], {
    given: { dialect: { decimal: ',' } },
  });
  expect(faults).toMatchObject([{ line: 2, column: 'pid', reason: 'not_utf8' }]);
  const dialect = { encoding: 'iso-8859-7' };
  await imports.importAll([Buffer.from(greek, 'latin1')], { given: { dialect } });
  expect((await imports.read('admin', 'sales'))[0]?.pid).toMatch(/^Αβγ/);
});

test.each([
  ['Ève a été à Liège', 'windows-1252'],
  ['CRÉÉE', 'windows-1252'],
  ['OPERAÇÕES, põe', 'windows-1252'],
  // In Windows-1250 these bytes are `Győr, fűtés`.
  ['Gyõr, fûtés', 'unknown'],
  // In CP850 these bytes are `Bäckerei Möller`.
  ['1;B\x84ckerei M\x94ller', 'unknown'],
  ['\x84Bäckerei\x94 Möller\x99', 'windows-1252'],
  ['Привет', 'unknown'],
  ['на', 'unknown'],
])('the encoding of %j is detected as %s', (text, encoding) => {
  const isCyrillic = /[а-я]/.test(text);
  const bytes = isCyrillic
    ? Buffer.from([...text].map((letter) => (letter.codePointAt(0) ?? 0) - 0x350))
    : western(text);
  expect(detectEncoding(bytes)).toBe(encoding);
});

test('UTF-8 is detected even if the sample ends in the middle of a character', () => {
  for (const cut of [0, 1, 2, 3]) {
    const bytes = Buffer.from('a €😀');
    expect(detectEncoding(bytes.subarray(0, bytes.length - cut))).toBe('utf-8');
  }
});

test('UTF-8 with a broken character is not taken for Windows-1252', () => {
  const cut = Buffer.concat([Buffer.from('a,Société\n1,caf'), Buffer.from([0xc3, 10])]);
  expect(detectEncoding(cut)).toBe('unknown');
  const joined = Buffer.concat([Buffer.from('a,Société\n'), western('2,Été à la crèche\n')]);
  expect(detectEncoding(joined)).toBe('unknown');
  // Bytes of other letters may be well formed by chance: these two are also an `ɻ`.
  expect(detectEncoding(western('«CAFÉ» à Liège'))).toBe('windows-1252');
});

test('a file that looks like Windows-1252 only at its beginning is refused, unless its encoding is stated', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-encodings-'));
  const path = join(directory, 'file.csv');
  const plain = 'plain,1\n'.repeat(10_000);
  await writeFile(
    path,
    Buffer.concat([western(`pid,a\ncafé,1\n${plain}`), Buffer.from('Société,1\n')]),
  );
  const found = await detectFileFormat(path, 'file.csv');
  expect(found.encoding).toBe('windows-1252');
  const copy = join(directory, 'copy');
  await expect(utf8Copy(found, copy, {})).rejects.toThrow('is in UTF-8 but has broken characters');
  expect(await utf8Copy(found, copy, { stated: 'windows-1252' })).toMatchObject({ path: copy });
  await rm(directory, { recursive: true });
});

test('a file is refused if it is not in the stated encoding, or if the disk has no space for its copy', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-encodings-'));
  const path = join(directory, 'file.csv');
  await writeFile(path, western(TEXT));
  const copied = async (encoding: string, reserve?: number) =>
    await utf8Copy(
      await detectFileFormat(path, 'file.csv', { encoding }),
      join(directory, 'copy'),
      { reserve },
    );
  await expect(copied('utf-16le')).rejects.toThrow('contains bytes that are not valid utf-16le');
  const everything = Number.MAX_SAFE_INTEGER;
  await expect(copied('windows-1252', everything)).rejects.toThrow('the disk has no space');
  await rm(directory, { recursive: true });
});

test('a workbook is refused with advice', async () => {
  const workbook = Buffer.from('PK\x03\x04\x14\0\x06\0\x08\0[Content_Types].xml');
  await expect(imports.importAll([workbook])).rejects.toThrowErrorMatchingInlineSnapshot(
    `[ImportRefused: file 1: is an Excel workbook. Open it, save the sheet as "CSV UTF-8", and import that file.]`,
  );
  const old = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  await expect(imports.importAll([old])).rejects.toThrow('is an Excel workbook');
  const archive = Buffer.from('PK\x03\x04\x14\0\0\0\x08\0sales.csv');
  await expect(imports.importAll([archive])).rejects.toThrow('is a ZIP archive');
});
