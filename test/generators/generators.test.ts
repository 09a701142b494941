import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { postmanCollection } from '../../src/cli/reference/postman-collection.ts';
import { type GeneratorFolder, generatorFolder } from '../support/generators/generator-folder.ts';
import { GENERATORS } from '../support/generators/generator-table.ts';
import { consumerFolder } from '../support/programs/consumer-folder.ts';
import { freePort } from '../support/programs/free-port.ts';
import { commandsOf } from '../support/programs/page-commands.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { everyNth } from '../support/run/sampled.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

const PAGE = 'docs/how-to/generate-a-client.md';

let service: TestService;
let token: string;
let home: GeneratorFolder | undefined;
let document: string;

beforeAll(async () => {
  service = await startService();
  const rows = [1001, 1002, 1003].map((id) => fileRow({ transaction_id: id, publisher_id: 345 }));
  await service.importText(ndjson(rows));
  token = await service.token({ role: 'affiliate', publisherIds: [345] });
  document = await documentByPage();
  home = await generatorFolder(IS_FULL, { API: service.url, TOKEN: token });
});

afterAll(async () => {
  await home?.close();
  await service?.close();
});

/** The document that the commands of the page download. */
async function documentByPage(): Promise<string> {
  const consumer = await consumerFolder(service.url, token);
  const { status, stderr } = await consumer.run(await commandsOf(PAGE));
  expect(status, stderr).toBe(0);
  const text = await readFile(join(consumer.folder, 'openapi.json'), 'utf8');
  await consumer.close();
  return text;
}

/** The folder with the generators. Skips the test if their packages could not be installed. */
function installed({ skip }: TestContext): GeneratorFolder {
  return home ?? skip('The package registry cannot be reached.');
}

const TESTED = everyNth(
  Object.entries(GENERATORS).filter(([, { isQuick }]) => IS_FULL || isQuick),
  2,
);

test('the page lists each generator, with what it needs', async () => {
  const page = await readFile(PAGE, 'utf8');
  const lines = [...page.matchAll(/^\| (`.*) \| (.*) \|$/gm)];
  expect(lines.map(([, name = '', hint]) => [name.replaceAll('`', ''), hint])).toEqual(
    Object.entries(GENERATORS).map(([name, { hint = 'nothing' }]) => [name, hint]),
  );
});

// biome-ignore format: as on a command line
const STRICT = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--allowImportingTsExtensions', '--types', 'node'];

test.for(TESTED)(
  '%s generates code that compiles and reads from the service',
  async ([name, generator], context) => {
    const { folder, run } = installed(context);
    const place = name.replaceAll(/\W/g, '-');
    await mkdir(join(folder, place));
    const files = { 'openapi.json': document, 'program.ts': generator.program, ...generator.files };
    for (const [file, text] of Object.entries(files)) {
      await writeFile(join(folder, place, file), text);
    }
    const inPlace = async (...command: readonly string[]) =>
      await run('sh', '-c', 'cd "./$0" && exec "$@"', place, ...command);
    await inPlace(...generator.command);
    await inPlace('tsc', ...STRICT, 'program.ts');
    await inPlace(IS_FULL ? 'tsx' : 'node', 'program.ts');
  },
);

describe.runIf(IS_FULL)('with tools that read the document themselves', () => {
  test('Prism as a proxy finds every response as documented', async (context) => {
    const { folder, start } = installed(context);
    await writeFile(join(folder, 'openapi.json'), document);
    const port = String(await freePort());
    const options = ['--errors', '--multiprocess', 'false', '--port', port];
    start('prism', 'proxy', 'openapi.json', service.url, ...options);
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const get = async (path: string) => await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await expect
      .poll(
        async () =>
          await get('/health/live').then(
            ({ ok }) => ok,
            () => false,
          ),
      )
      .toBe(true);
    for (const path of PATHS) {
      const response = await get(path);
      expect([path, response.status, response.headers.get('sl-violations')]).toEqual([
        path,
        200,
        null,
      ]);
    }
  });

  test('openapi-to-postman makes requests that newman sends', async (context) => {
    const { folder, run } = installed(context);
    await writeFile(join(folder, 'openapi.json'), document);
    const options =
      'folderStrategy=Tags,parametersResolution=Example,enableOptionalParameters=false';
    await run('openapi2postmanv2', '-s', 'openapi.json', '-o', 'converted.json', '-O', options);
    const values = ['--env-var', `baseUrl=${service.url}`, '--env-var', `bearerToken=${token}`];
    const told = await run('newman', 'run', 'converted.json', ...values, '--folder', 'Access');
    expect(told).toMatch(/\/api\/me \[200 OK/);
    const all = await run('newman', 'run', 'converted.json', ...values);
    expect(all).not.toMatch(/\[(?:400|404|5\d\d) /);
  });

  test('newman sends every request of our collection', async (context) => {
    const { folder, run } = installed(context);
    await writeFile(join(folder, 'collection.json'), JSON.stringify(postmanCollection()));
    const values = ['--env-var', `baseUrl=${service.url}`, '--env-var', `token=${token}`];
    const folders = ['Affiliates', 'Every token', 'Without a token'];
    const chosen = folders.flatMap((name) => ['--folder', name]);
    // The command fails if a test of the collection fails.
    await run('newman', 'run', 'collection.json', ...values, ...chosen);
  });
});

const PERIOD = 'start_date=2026-01-01&end_date=2026-12-31';

const PATHS = [
  '/api/me',
  `/api/affiliate/transactions?type=sales&${PERIOD}&status=1,2&limit=2`,
  '/api/affiliate/transactions/sales/1001',
  `/api/affiliate/transactions/summary?type=sales&${PERIOD}&group_by=day,status`,
  `/api/affiliate/performance?${PERIOD}&group_by=subid&limit=3`,
  '/api/affiliate/transactions/changes?type=sales',
  '/api/affiliate/programs',
];
