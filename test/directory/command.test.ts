import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDatabase } from '../support/databases/copied-database.ts';
import { runCommand, startServing } from '../support/programs/command.ts';
import { commandsOf, provideNpx, runScript } from '../support/programs/page-commands.ts';
import { parsedLines } from '../support/requests/audit-lines.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-names-'));
  await newDatabase(join(home, 'data'), 'UTC');
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

const run = async (args: readonly string[], input = '') =>
  await runCommand(['directory', ...args], { directory: home }, input);

const FILE = 'id;name;url\n12;"Été; ""soldes""";https://shop.example\n13;Books;\n';
const EXPORTED =
  '"id","name","url","status","category"\r\n"12","Été; ""soldes""","https://shop.example","",""\r\n"13","Books","","",""\r\n';

test('entries are imported and exported while the server runs, and the audit log says who did it', async () => {
  const server = await startServing(['serve', '--port', '0'], { directory: home });
  const imported = await run(['import', '-', '--of', 'programs', '--json'], FILE);
  expect([imported.code, imported.errors]).toEqual([0, '']);
  expect(JSON.parse(imported.output)).toMatchObject({ rows: 2, imported: 2, deleted: 0 });
  const exported = await run(['export', '--of', 'programs']);
  expect(exported).toEqual({ code: 0, output: EXPORTED, errors: '' });
  const refused = await run(['import', '-', '--of', 'programs', '--replace'], 'id,name\n1,\n');
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('standard input:2 name is required');
  expect(refused.output).toContain('Nothing was imported: 1 of 1 rows are wrong.');
  await server.stop();
  const { output } = await runCommand(
    ['audit', '--since', '2026-01-01', '--event', 'directory_imported', '--format', 'json'],
    { directory: home },
  );
  expect(parsedLines(output).map(({ details }) => details)).toMatchObject([
    { of: 'programs', replace: false, outcome: 'imported', rows: 2, imported: 2, deleted: 0 },
    { of: 'programs', replace: true, outcome: 'refused', rows: 1, imported: 0, rejected: 1 },
  ]);
});

// Only in the full run. In `npm test`, the test above exports, and import.test.ts replaces entries.
test.runIf(IS_FULL)('an export can be imported again, and says in text what changed', async () => {
  const { output } = await run(['export', '--of', 'programs', '--format', 'ndjson']);
  await writeFile(join(home, 'copy.ndjson'), `${output}{"id":14,"name":"New"}\n`);
  const again = await run(['import', 'copy.ndjson', '--of', 'programs']);
  expect(again.output).toBe('Imported 3 programs.\n');
  const replaced = await run(['import', '-', '--of', 'programs', '--replace'], EXPORTED);
  expect(replaced.output).toBe('Imported 2 programs. Removed 1 that the files do not have.\n');
  expect((await run(['export', '--of', 'programs'])).output).toBe(EXPORTED);
});

test.each([
  [['import', 'x.csv', '--of', 'program'], 'Did you mean "programs"?'],
  [['import', 'x.csv'], "required option '--of <what>' not specified"],
  [['import', 'x.csv', '--of', 'programs'], 'There is no file x.csv.'],
  [['export', '--of', 'supports', '--format', 'xlsx'], '--format must be one of csv, ndjson.'],
])('directory %j is refused with advice', async (args, message) => {
  const { code, errors } = await run(args);
  expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
});

test('a mapping with a field of transactions is refused', async () => {
  const fields = { id: 'a', nmae: 'b', publisher_id: 'c' };
  await writeFile(join(home, 'mapping.json'), JSON.stringify({ fields }));
  await writeFile(join(home, 'a.csv'), 'a,b,c\n1,2,3\n');
  const { errors } = await run([
    'import',
    'a.csv',
    '--of',
    'programs',
    '--mapping',
    'mapping.json',
  ]);
  expect(errors).toContain('names an unknown field "nmae". Did you mean "name"?');
  expect(errors).toContain('names an unknown field "publisher_id".');
  expect(errors).toContain('does not map "name", which every entry needs.');
});

// Only in the full run. In `npm test`, the tests above run the same commands.
test.runIf(IS_FULL)('the commands of the guide work', async () => {
  const folder = join(home, 'guide');
  await mkdir(folder);
  await provideNpx(folder);
  const { status, stderr } = await runScript(
    await commandsOf('docs/how-to/name-programs.md'),
    folder,
  );
  expect(stderr).toMatch(
    /^The time zone of this database is UTC, and it cannot be changed later\. .*\n$/,
  );
  expect(status).toBe(0);
  expect(await readFile(join(folder, 'copy.csv'), 'utf8')).toContain('"12","Sports Direct"');
});
