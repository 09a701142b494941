import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { importHome } from '../support/databases/import-home.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, fileRow, ndjson } from '../support/rows/file-rows.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

const home = importHome('UTC');
const { put, run, summary } = home;

const file = (...rows: readonly FileRow[]): string => csv(rows.length === 0 ? [fileRow({})] : rows);

test('the first import creates the database, and --json prints one line with all that a script needs', async () => {
  await put('a.csv', file());
  const report = await summary(['a.csv', '--database', 'chdb:./new', '--time-zone', 'UTC']);
  expect(report).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    files: 1,
    rows: 1,
    imported: 1,
    rejected: 0,
    emptied: 0,
    removed: 0,
    seconds: expect.any(Number),
    rows_per_second: expect.any(Number),
    reasons: {},
    faults: [],
  });
});

test('several files, patterns and standard input are imported together', async () => {
  await mkdir(join(home.path, '2026'));
  await put('2026/01.csv.gz', gzipSync(file()));
  await put('2026/02.csv.gz', gzipSync(file()));
  await put('2026/notes.txt', 'no transactions');
  await put('a.ndjson.zst', zstdCompressSync(ndjson([fileRow({})])));
  expect(
    await summary(['2026/*.csv.gz', 'a.ndjson.zst', '-', '2026/01.csv.gz'], file()),
  ).toMatchObject({
    files: 4,
    imported: 4,
  });
});

test('no file is imported if one of them has a faulty row', async () => {
  await put('good.csv', file());
  await put('bad.csv', file(fileRow({}), fileRow({ status: 5 })));
  const { code, output } = await run(['good.csv', 'bad.csv']);
  expect(code).toBe(1);
  expect(output).toBe(
    [
      'bad.csv:3 status "5" must be 0 (refused), 1 (validated) or 2 (pending)',
      '',
      'How often:',
      '  1 × must be 0 (refused), 1 (validated) or 2 (pending)',
      '',
      'Nothing was imported: 1 of 3 rows are wrong.',
      'Correct them and import again, or import only the correct rows: --rejects rejected.csv',
      '',
    ].join('\n'),
  );
  if (IS_FULL) expect(await summary(['good.csv'])).toMatchObject({ imported: 1 });
});

// Only in the full run. In `npm test`, the test above counts faults.
test.runIf(IS_FULL)('faults that are not listed are counted', async () => {
  await put('bad.csv', file(...Array.from({ length: 1500 }, () => fileRow({ status: 5 }))));
  const { output } = await run(['bad.csv']);
  expect(output).toContain('\n… and 1,480 more\n');
  expect(output).toContain('1,500 × must be 0');
});

// Only in the full run. In `npm test`, import-names.test.ts reports an unknown column.
test.runIf(IS_FULL)('an unknown field is reported with the nearest name', async () => {
  const { output } = await run(['-'], ndjson([{ ...fileRow({}), pubisher_id: 1 }]));
  expect(output).toContain(
    'standard input:1 pubisher_id is not a known field. Did you mean "publisher_id"?',
  );
});

test('--rejects imports the valid rows and writes the others with line and reason', async () => {
  const wrong = fileRow({ status: 5, amount: 'x', pid: 'a "quoted"\nvalue' });
  await put('a.csv', `${file(fileRow({ pid: 'fine' }), wrong)}cut,off\n`);
  const { code, output } = await run(['a.csv', '--rejects', 'rejected.csv']);
  expect(code).toBe(1);
  expect(output).toContain(
    'Imported 1 row; 2 rejected rows are in rejected.csv, with line and reason.',
  );
  const text = await readFile(join(home.path, 'rejected.csv'), 'utf8');
  const [header = '', first = '', second = ''] = text.split('\r\n');
  expect(header).toMatch(/^file,line,reasons,type,transaction_id,.*,updated_at,row$/);
  expect(first).toMatch(/^"a\.csv","3","amount must be a decimal.*; status must be 0.*","sales",/);
  expect(first).toContain('"a ""quoted""\nvalue"');
  expect(second).toMatch(/^"a\.csv","5","does not have as many cells as the header",.*,"cut,off"$/);
  expect((await stat(join(home.path, 'rejected.csv'))).mode & 0o777).toBe(0o600);
});

// Only in the full run. In `npm test`, the test above checks what is in the file of rejected rows.
test.runIf(IS_FULL)('a corrected file of rejected rows can be imported', async () => {
  await put('a.csv', file(fileRow({ status: 5 })));
  await run(['a.csv', '--rejects', 'rejected.csv']);
  const [header = '', row = ''] = (await readFile(join(home.path, 'rejected.csv'), 'utf8')).split(
    '\r\n',
  );
  const columns = header.split(',').slice(3, -1);
  const cells = row.split('","').slice(3, -1);
  await put('mended.csv', `${columns}\n${cells.map((cell) => (cell === '5' ? '2' : cell))}\n`);
  expect(await summary(['mended.csv'])).toMatchObject({ imported: 1 });
});

// Only in the full run. In `npm test`, import-names.test.ts tests the first lines of files, without processes.
test.runIf(IS_FULL)('--type sets the type of files without one', async () => {
  const { type, ...row } = fileRow({});
  await put('a.csv', csv([row]));
  const { errors } = await run(['a.csv']);
  expect(errors).toContain(
    'column "type" is missing. Add it, or name the type of all rows: --type sales.',
  );
  expect(await summary(['a.csv', '--type', String(type)])).toMatchObject({ imported: 1 });
});

test('--round rounds numbers that are refused without it', async () => {
  await put('a.csv', file(fileRow({ amount: '0.1234567' })));
  expect((await run(['a.csv'])).output).toContain('has more than 6 decimals (--round rounds them)');
  expect(await summary(['a.csv', '--round'])).toMatchObject({ imported: 1 });
});
