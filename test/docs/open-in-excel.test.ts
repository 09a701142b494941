import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ACCESS_COMMANDS,
  type ConsumerFolder,
  consumerFolder,
} from '../support/programs/consumer-folder.ts';
import { commandsOf } from '../support/programs/page-commands.ts';
import { missingOf, skipped } from '../support/programs/programs.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

const PAGE = 'docs/how-to/open-in-excel.md';

const SUBIDS = ['é à ü €', 'a;b,c', '"quoted"', '=1+1', 'line\nbreak', '日本'];

let service: TestService;
let home: ConsumerFolder;
let token: string;
let shown: string;

beforeAll(async () => {
  service = await startService();
  const sales = SUBIDS.map((subid, at) =>
    fileRow({ transaction_id: at + 1, publisher_id: 7, subid, remu_publisher: 12.5 }),
  );
  const clics = { type: 'clics', transaction_id: 900, publisher_id: 7, total: 3 };
  await service.importText(ndjson([...sales, fileRow(clics)]));
  token = await service.token({ role: 'affiliate', publisherIds: [7] });
  home = await consumerFolder(service.url, token);
  const { status, stdout, stderr } = await home.run(await commandsOf(PAGE));
  if (status !== 0) throw new Error(stderr);
  shown = stdout;
});

afterAll(async () => await Promise.all([home?.close(), service?.close()]));

const written = async (name: string) => await readFile(join(home.folder, name), 'utf8');

type Line = Readonly<Record<string, string>>;

test('the page begins with the commands that set API and TOKEN', async () => {
  expect(await commandsOf(PAGE)).toContain(ACCESS_COMMANDS);
});

test('the first command writes a file with every text in its column and without formulas', async () => {
  const lines: Line[] = parse(await written('sales.csv'), {
    bom: true,
    delimiter: ';',
    columns: true,
  });
  expect((await written('sales.csv')).startsWith('\uFEFFtransaction_id;')).toBe(true);
  expect(lines.map(({ subid }) => subid)).toEqual(
    SUBIDS.map((subid) => (subid.startsWith('=') ? `'${subid}` : subid)),
  );
  expect(lines[0]?.remuneration).toBe('12,5');
});

test('the other commands show the number of records and the totals', async () => {
  expect(shown).toMatch(/^x-total-count: 1\r?$/m);
  const [months]: Line[] = parse(await written('months.csv'), {
    bom: true,
    delimiter: ';',
    columns: true,
  });
  expect(months).toMatchObject({ month: '2026-01', publisher_id: '7', count: '6' });
});

const text = async () =>
  await readFile(fileURLToPath(new URL(`../../${PAGE}`, import.meta.url)), 'utf8');

test('the service answers the request of the Excel query (Excel itself is not run)', async () => {
  const query = /```powerquery\n([\s\S]*?)```/.exec(await text())?.[1] ?? '';
  const path = /RelativePath = "([^"]+)"/.exec(query)?.[1];
  const parameters = /Query = \[([^\]]+)\]/.exec(query)?.[1] ?? '';
  const asked = [...parameters.matchAll(/(\w+) = "([^"]+)"/g)].map(([, name, value]) => [
    name ?? '',
    value ?? '',
  ]);
  const answer = await service.get(`/${path}?${new URLSearchParams(asked)}`, token);
  expect(answer.status).toBe(200);
  const lines: Line[] = parse(await answer.text(), { columns: true });
  const typed = [...query.matchAll(/\{"(\w+)", type/g)].map(([, column]) => column ?? '');
  expect(typed).toHaveLength(3);
  expect(Object.keys(lines[0] ?? {})).toEqual(expect.arrayContaining(typed));
});

const noOffice = missingOf('soffice');

test.skipIf(noOffice.length > 0)(
  `LibreOffice opens the file with its accents and columns${skipped(noOffice)}`,
  async () => {
    // Reads UTF-8 with semicolons and the French locale, and writes commas.
    const read = '--infilter=CSV:59,34,76,1,,1036,false,true';
    const write = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,false,false';
    const { status, stderr } = await home.run(
      `soffice -env:UserInstallation=file://${home.folder}/office --headless '${read}' --convert-to '${write}' --outdir opened sales.csv`,
    );
    expect([status, stderr.includes('Error')]).toEqual([0, false]);
    const lines: Line[] = parse(await written('opened/sales.csv'), { bom: true, columns: true });
    const plain = lines.map(({ subid = '' }) => subid.replace(/^'/, ''));
    expect(plain).toEqual(SUBIDS);
    expect(Number(lines[0]?.remuneration)).toBe(12.5);
  },
);
