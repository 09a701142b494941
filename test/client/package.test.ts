import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ClientUser,
  installClient,
  nodeOfMachine,
  OLDER_COMPILER,
} from '../support/programs/packed-client.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

const run = promisify(execFile);

const README = new URL('../../client/README.md', import.meta.url);

let user: ClientUser;
let service: TestService;
let token: string;

beforeAll(async () => {
  [user, service] = await Promise.all([installClient(), startService()]);
  const sale = (status: number, amount: number) =>
    fileRow({ status, amount, validation_date: status === 1 ? '2026-02-01 00:00:00' : null });
  await service.importText(ndjson([sale(2, 10), sale(1, 20.5), sale(0, 400)]));
  token = await service.token({ locale: 'en' });
});

afterAll(async () => await Promise.all([user.remove(), service.close()]));

test('the package contains the build, the documentation and nothing else', () => {
  const beside = user.packed.filter((path) => !/^dist\/[a-z/-]+(?:\.js|\.d\.ts)$/.test(path));
  expect(beside.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
  expect(user.packed).toContain('dist/index.js');
  expect(user.packed).toContain('dist/node/index.d.ts');
});

test('the package has no dependencies', async () => {
  const manifest = JSON.parse(
    await readFile(
      join(user.folder, 'node_modules/transactions-reporting-client/package.json'),
      'utf8',
    ),
  ) as Record<string, unknown>;
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.peerDependencies).toBeUndefined();
});

/** The type definitions of Node.js: some examples use `process`. */
const NODE_TYPES = fileURLToPath(new URL('../../node_modules/@types', import.meta.url));

const USE = `import { ApiProblem, type AdminTransaction, createClient } from 'transactions-reporting-client';
import { createClient as createNodeClient } from 'transactions-reporting-client/node';

const question = { type: 'sales', start_date: '2026-01-01', end_date: '2026-01-31' } as const;
const { admin } = createClient({ baseUrl: 'https://reports.example', token: 'x' });
for await (const row of admin.transactions.list(question)) {
  const whole: AdminTransaction = row;
  console.log(whole);
}
for await (const row of admin.transactions.list({ ...question, fields: ['amount'] })) {
  const amount: number | null = row.amount;
  // @ts-expect-error the field was not requested
  console.log(amount, row.status);
}
// @ts-expect-error the field is unknown
admin.transactions.list({ ...question, fields: ['amounts'] });
const first = await admin.transactions.page({ ...question, limit: 10 });
const signal: AbortSignal | undefined = undefined;
await admin.transactions.page({ ...question, limit: 10, cursor: first.next }, { signal });
const node = createNodeClient({ baseUrl: new URL('https://reports.example'), token: async () => 'x' });
await node.affiliate.transactions.download({ ...question, format: 'csv' }, 'sales.csv', { restart: true });
export const codeOf = (error: unknown) => error instanceof ApiProblem && error.code === 'busy';
export const isOfLater = (error: ApiProblem) => error.code === 'a_code_of_later';
`;

const STRICT = [
  '--noEmit',
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
];
const SYSTEM = ['--target', 'es2022', '--lib', 'es2023,dom,dom.asynciterable'];

/** Compiles modules in a project that uses the client; returns the errors. */
async function compiled(sources: Readonly<Record<string, string>>, options: readonly string[]) {
  const names = Object.keys(sources).map((name) => `${name}.ts`);
  for (const [name, text] of Object.entries(sources)) {
    await writeFile(join(user.folder, `${name}.ts`), text);
  }
  const compiling = run(OLDER_COMPILER, [...STRICT, ...SYSTEM, ...options, ...names], {
    cwd: user.folder,
  });
  return (await compiling.catch(({ stdout }: { stdout: string }) => ({ stdout }))).stdout;
}

const MODULE_SYSTEMS = [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const;

// Only in the full run. In `npm test`, the examples below compile in a strict project.
test.runIf(IS_FULL).each(MODULE_SYSTEMS)(
  'the package compiles in a strict project with the module system %s',
  async (module, resolution) => {
    const modules = ['--module', module, '--moduleResolution', resolution];
    expect(await compiled({ use: USE }, [...modules, '--typeRoots', 'none'])).toBe('');
  },
);

test('every example of the README compiles in a strict project', async () => {
  const node = ['--module', 'nodenext', '--types', 'node', '--typeRoots', NODE_TYPES];
  expect(await compiled(await examples(), [...node, '--skipLibCheck'])).toBe('');
});

/** All JavaScript and TypeScript examples of the README, in their order. */
async function examples(): Promise<Record<string, string>> {
  const page = await readFile(README, 'utf8');
  const found = [...page.matchAll(/```(?:js|ts)\n([\s\S]*?)```/g)];
  expect(found.length).toBeGreaterThan(4);
  return Object.fromEntries(found.map(([, text], at) => [`example-${at}`, text ?? '']));
}

describe('the examples of the README run unchanged', () => {
  test.each([
    ['Rows', /^turnover: 30\.50$/m],
    ['Summaries', /^2026-01-15 0 1 400\n.* 1 1 20\.5\n.* 2 1 10\nadmin, days of Europe\/Paris$/m],
    ['Files', /^sales\.csv has \d+ bytes$/m],
    ['Errors', /^invalid_parameters start_date [\w-]+$/m],
  ])('%s', async (section, shown) => {
    const { stdout } = await runExample(section);
    expect(stdout).toMatch(shown);
  });

  // Only in the full run. In `npm test`, the example above prints the size of the file.
  test.runIf(IS_FULL)('and write the file that they name', async () => {
    await runExample('Files');
    const text = await readFile(join(user.folder, 'sales.csv'), 'utf8');
    expect(text.split('\r\n').length).toBe(5);
  });
});

test('a program in CommonJS can require the package', async () => {
  const program = `
    const { createClient } = require('transactions-reporting-client');
    const { createClient: createNodeClient } = require('transactions-reporting-client/node');
    console.log(typeof createClient, typeof createNodeClient);`;
  const { stdout } = await run(process.execPath, ['--input-type=commonjs', '-e', program], {
    cwd: user.folder,
  });
  expect(stdout).toBe('function function\n');
});

const RESUMING = `import { createClient } from 'transactions-reporting-client/node';
import { stat } from 'node:fs/promises';

const client = createClient({
  baseUrl: process.env.REPORTS_URL,
  token: process.env.REPORTS_TOKEN,
});
const question = { type: 'sales', start_date: '2026-01-01', end_date: '2026-12-31', format: 'csv' };
const download = (onProgress) =>
  client.admin.transactions.download(question, 'resumed.csv', { pageSize: 1, onProgress });

let pages = 0;
const leave = () => {
  pages += 1;
  if (pages === 2) throw new Error('left');
};
await download(leave).catch((error) => console.log(error.message));
const left = (await stat('resumed.csv.part')).size;
const seen = [];
await download(({ bytes }) => seen.push(bytes));
console.log(seen.length, seen[0] > left);
`;

test("a download resumes under the machine's own Node.js", async () => {
  const { stdout } = await runScript('resuming', RESUMING);
  expect(stdout).toBe('left\n1 true\n');
  const text = await readFile(join(user.folder, 'resumed.csv'), 'utf8');
  expect(text.split('\r\n').length).toBe(5);
});

async function runExample(section: string): Promise<{ stdout: string }> {
  const page = await readFile(README, 'utf8');
  const text = page.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  const example = /```js\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  return await runScript(section, example);
}

async function runScript(name: string, text: string): Promise<{ stdout: string }> {
  const script = join(user.folder, `${name}.js`);
  await writeFile(script, text);
  return await run(nodeOfMachine(), [script], {
    cwd: user.folder,
    env: { REPORTS_URL: service.url, REPORTS_TOKEN: token },
  });
}
