import { execFile } from 'node:child_process';
import { link, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRejects } from '../../src/cli/output/rejects-file.ts';
import { importHome } from '../support/databases/import-home.ts';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import { COMMAND } from '../support/programs/command.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, fileRow } from '../support/rows/file-rows.ts';
import { everyNth } from '../support/run/sampled.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';

const home = importHome('UTC');
const { put, run, summary } = home;

const file = (...rows: readonly FileRow[]): string => csv(rows.length === 0 ? [fileRow({})] : rows);

const NAMES = [
  'sales[2026].csv',
  'a*b.csv',
  '{a,b}.csv',
  'what?.csv',
  "it's.csv",
  'sp ace é.csv',
  'a::b.csv',
  'x=1.csv',
  '100%.csv',
];

/** In `npm test`, one import has the files of all names. */
test.each(
  fullOrShort(
    NAMES.map((name) => ({ names: [name] })),
    [{ names: NAMES }],
  ),
)('files may be called $names', async ({ names }) => {
  for (const name of names) await put(name, file());
  // If the engine treated a name as a pattern, it would read this file too.
  await put('axb.csv', file(fileRow({}), fileRow({})));
  const { length } = names;
  expect(await summary(names)).toMatchObject({ files: length, rows: length, imported: length });
});

// Only in the full run. In `npm test`, import.test.ts reads standard input.
test.runIf(IS_FULL)('a pipe between processes can be read like a file', async () => {
  await put('a.csv', file());
  const command = `"${process.execPath}" "${COMMAND}" import <(cat a.csv) --json`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', command], {
    cwd: home.path,
  });
  expect(JSON.parse(stdout)).toMatchObject({ imported: 1 });
});

test('folders in a path are not read as columns', async () => {
  await mkdir(join(home.path, 'status=0/publisher_id=7'), { recursive: true });
  const content = file(fileRow({ status: 2, publisher_id: 100 }));
  await put('a.csv', content);
  await put('status=0/publisher_id=7/a.csv', content);
  // With `publisher_id=7`, the import would be refused: a transaction cannot move to another publisher.
  const files = ['a.csv', 'status=0/publisher_id=7/a.csv'];
  for (const names of fullOrShort(
    files.map((name) => [name]),
    [files],
  )) {
    expect(await summary(names)).toMatchObject({ rows: names.length, rejected: 0 });
  }
});

test.each([
  ['nothing.csv', 'There is no file nothing.csv.', 'ls'],
  ['*.parquet', 'No file matches *.parquet.', 'ls'],
  ['.', '. is a directory.', "transactions import '*.csv'"],
])('%s is refused with advice', async (name, message, next) => {
  const { code, errors } = await run([name]);
  expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
  expect(errors).toContain(next);
});

const STRANGE = [
  ['hello\n', 'unknown column "hello"'],
  ['type,\x1b]0;x\x07\x9b2J\n', 'unknown column "\\x1b]0;x\\x07\\x9b2J"'],
] as const;

test.each(everyNth(STRANGE, 2, 1))(
  'a file that begins with %j is refused with advice',
  async (content, message) => {
    await put('strange', content);
    const { code, errors } = await run(['strange']);
    expect([code, errors]).toEqual([1, expect.stringContaining(`strange: ${message}`)]);
    expect(errors).toContain('Nothing was imported.');
  },
);

describe('in the process of the test', () => {
  let imports: TestImports;

  beforeAll(async () => {
    imports = await startImports();
  });

  afterAll(async () => await imports.close());

  test.each([
    ['', 'is empty'],
    ['\ufeff', 'its first line is blank'],
    ['\ntype,status\n', 'its first line is blank'],
    ['type\ttransaction_id\n', 'column "program_id" is missing.'],
    ['type,,transaction_id\n', 'column 2 has no name.'],
    ['type,status,type\n', 'column "type" occurs more than once.'],
    ['hello\n', 'unknown column "hello"'],
    ['[{"type":"sales"}]', 'is a JSON array. Write one object per line (NDJSON)'],
    ['x'.repeat(70_000), 'its first line is too long to be a header'],
    [gzipSync(file()).subarray(0, 40), 'cannot be read: unexpected end of file'],
  ])('a file that begins with %j is refused', async (content, message) => {
    await expect(imports.importAll([content])).rejects.toThrow(`file 1: ${message}`);
    expect(await imports.visible()).toEqual({ admin: 0, affiliate: 0, left: [] });
  });
});

test('the file for rejected rows cannot be one of the imported files', async () => {
  await put('a.csv', file());
  const { code, errors } = await run(['*.csv', '--rejects', './a.csv']);
  expect([code, errors]).toEqual([
    1,
    expect.stringContaining('./a.csv is one of the files to import.'),
  ]);
  expect(await readFile(join(home.path, 'a.csv'), 'utf8')).toContain('transaction_id');
});

test('the file for rejected rows cannot be a link to one of the imported files, or their mapping', async () => {
  await put('a.csv', file());
  const path = join(home.path, 'a.csv');
  const [symbolic, hard] = [`${path}-symbolic`, `${path}-hard`];
  await symlink(path, symbolic);
  await link(path, hard);
  for (const [source, rejects] of [
    [symbolic, path],
    [path, symbolic],
    [path, hard],
  ] as const) {
    const input = { path: source, name: source, isStream: false };
    await expect(openRejects(rejects, { inputs: [input], mapping: undefined })).rejects.toThrow(
      'is one of the files to import',
    );
    await expect(openRejects(rejects, { inputs: [], mapping: path })).rejects.toThrow(
      'is the mapping of this import',
    );
  }
  expect(await readFile(path, 'utf8')).toContain('transaction_id');
});
