import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ACCESS_COMMANDS,
  type ConsumerFolder,
  consumerFolder,
  provide,
} from '../support/programs/consumer-folder.ts';
import { missingOf, skipped } from '../support/programs/programs.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const sale = (created_at: string, values: object) =>
  fileRow({ publisher_id: 7, created_at, ...values });

const ROWS = [
  sale('2026-01-31 23:59:59', { remu_publisher: 10.5, country: 'NA', transaction_id: 2 ** 53 - 1 }),
  sale('2026-02-01 00:00:00', { remu_publisher: 0.1, subid: 'é,"q"' }),
  sale('2026-02-28 12:00:00', { remu_publisher: 0.2, subid: 'NA' }),
];

const PARTS = 'Read parts of a remote file';

let service: TestService;
let home: ConsumerFolder;
let page: string;

beforeAll(async () => {
  page = await readFile(inRoot('docs/how-to/read-with-pandas-r-duckdb.md'), 'utf8');
  service = await startService();
  await service.importText(ndjson(ROWS));
  home = await consumerFolder(
    service.url,
    await service.token({ role: 'affiliate', publisherIds: [7] }),
  );
  const command = inRoot('test/support/programs/duckdb-command.ts');
  await provide(home.folder, 'duckdb', `exec '${process.execPath}' '${command}' "$@"`);
  const { status, stderr } = await home.run(blockOf('Take a file', 'sh'));
  if (status !== 0) throw new Error(stderr);
});

afterAll(async () => await Promise.all([home?.close(), service?.close()]));

/** A code block of a section in a language: the first one, or the one after `before` others. */
function blockOf(heading: string, language: string, before = 0): string {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return section.split(`\n\`\`\`${language}\n`)[before + 1]?.split('```')[0] ?? '';
}

async function shown(script: string): Promise<string> {
  const { status, stdout, stderr } = await home.run(script);
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

const lines = (text: string) => text.trim().split('\n');

test('the page begins with the commands that set API and TOKEN', () => {
  expect(blockOf('Take a file', 'sh')).toContain(ACCESS_COMMANDS);
});

test('DuckDB sums up the Parquet file by month in the time zone of the platform', async () => {
  const answer = lines(await shown(blockOf('DuckDB', 'sh'))).map((line) => JSON.parse(line));
  expect(answer).toEqual([
    { month: '2026-01', status: '2', sales: '1', remuneration: '10.500000' },
    { month: '2026-02', status: '2', sales: '2', remuneration: '0.300000' },
  ]);
});

test('curl resumes a cut download, and refuses to add a part of another file', async () => {
  const [first, rest] = [0, 1].map((before) => blockOf(PARTS, 'sh', before));
  expect([first, rest]).toEqual([
    expect.stringContaining('--etag-save'),
    expect.stringContaining('If-Range'),
  ]);
  const file = join(home.folder, 'sales.parquet');
  const half = 'head -c 500 sales.parquet > cut && mv cut sales.parquet';
  const other = await home.run(`${first}\n${half}\necho '"other"' > sales.etag\n${rest}`);
  expect([other.status, (await readFile(file)).length]).toEqual([33, 500]);
  await shown(`${first}\ncp sales.parquet whole\n${half}\n${rest}`);
  expect((await readFile(file)).equals(await readFile(join(home.folder, 'whole')))).toBe(true);
});

const CSV_MONTHS = ['2026-01', '2026-02'];

const noPandas = missingOf('pandas');

describe.skipIf(noPandas.length > 0)(`pandas${skipped(noPandas)}`, () => {
  test('sums up the CSV file by month', async () => {
    const answer = lines(await shown(blockOf('pandas', 'sh')));
    expect(answer.slice(-2).map((line) => line.split(/\s+/))).toEqual([
      [CSV_MONTHS[0], '2', '1', '10.5'],
      [CSV_MONTHS[1], '2', '2', '0.3'],
    ]);
  });

  test('reads the country NA, the text NA and every id exactly', async () => {
    const more = 'print(sales["country"][0], sales["subid"][2], sales["transaction_id"].max())';
    const script = blockOf('pandas', 'sh').replace(/\nEND\n$/, `\n${more}\nEND\n`);
    expect(lines(await shown(script)).at(-1)).toBe('NA NA 9007199254740991');
  });
});

const noPyarrow = missingOf('pandas', 'pyarrow');

test.skipIf(noPyarrow.length > 0)(
  `pandas reads the Parquet file with its types${skipped(noPyarrow)}`,
  async () => {
    const script = `import pandas as pd\n${blockOf('pandas', 'python')}\nprint(sales["created_at"][0])`;
    await writeFile(join(home.folder, 'parquet.py'), script);
    expect(await shown('python3 parquet.py')).toBe('2026-01-31 23:59:59+01:00\n');
  },
);

const noR = missingOf('R');

describe.skipIf(noR.length > 0)(`R${skipped(noR)}`, () => {
  test('sums up the CSV file by month', async () => {
    const answer = lines(await shown(blockOf('R', 'sh')));
    expect(answer.slice(-2).map((line) => line.trim().split(/\s+/).slice(1))).toEqual([
      [CSV_MONTHS[0], '2', '10.5'],
      [CSV_MONTHS[1], '2', '0.3'],
    ]);
  });

  test('reads the country NA, the text NA and every id exactly', async () => {
    const more =
      'cat(is.na(sales$country[1]), is.na(sales$subid[3]), format(sales$transaction_id[1], digits = 17))';
    const script = blockOf('R', 'sh').replace(/\nEND\n/, `\n${more}\nEND\n`);
    expect(lines(await shown(script)).at(-1)).toBe('FALSE FALSE 9007199254740991');
  });
});

const noArrow = missingOf('R', 'the package arrow of R');

test.skipIf(noArrow.length > 0)(`R reads the Parquet file${skipped(noArrow)}`, async () => {
  await writeFile(join(home.folder, 'parquet.R'), `${blockOf('R', 'r')}\ncat(nrow(sales))`);
  expect(await shown('Rscript parquet.R')).toBe('3');
});
