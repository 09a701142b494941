import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoCommand } from '../../src/cli/commands/demo-command.ts';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { outcomeOf, runCommand, startCommand, startServing } from '../support/programs/command.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-demo-'));
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

const ROWS = fullOrShort(3000, 1000);

const DEMO = ['demo', '--rows', String(ROWS), '--port', '0'];

interface Access {
  readonly url: string;
  readonly admin_token: string;
  readonly affiliate_token: string;
  readonly affiliate_en_token: string;
  readonly affiliate_publisher_ids: readonly number[];
  readonly affiliate_en_publisher_ids: readonly number[];
}

const readAccess = async (): Promise<Access> =>
  JSON.parse(await readFile(join(home, 'data/demo/demo.json'), 'utf8')) as Access;

/** Starts the demo and waits until it has printed all instructions for users. */
async function startDemo() {
  const server = await startServing(DEMO, { directory: home });
  await expect.poll(server.said).toContain('Stop with Ctrl-C.');
  return { ...server, said: server.said() };
}

const get = async ({ url }: Access, token: string, role: string, kind: string) => {
  const thisYear = new Date().getUTCFullYear();
  const period = `start_date=${thisYear - 2}-01-01&end_date=${thisYear}-12-31`;
  const response = await fetch(`${url}/api/${role}/transactions?type=${kind}&${period}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as {
    publisher_id: number;
    status: string;
    status_label: string;
  }[];
};

test('the demo creates a platform and tokens, and prints commands that work when copied', async () => {
  const { said, url, child, stop } = await startDemo();
  const whole = `${await readFile(`/proc/${child.pid}/cmdline`, 'utf8')}`;
  const { stdout: processes } = await promisify(execFile)('ps', ['axww', '-o', 'args']);
  const access = await readAccess();
  expect(whole + processes).toContain('demo');
  expect(whole).not.toContain('trx_');
  // The list of processes may have tokens of other tests, so the test looks only for those of this demo.
  for (const token of [access.admin_token, access.affiliate_token, access.affiliate_en_token])
    expect(processes).not.toContain(token);
  expect(access).toMatchObject({
    url,
    admin_token: expect.stringMatching(/^trx_/),
    affiliate_token: expect.stringMatching(/^trx_/),
    affiliate_en_token: expect.stringMatching(/^trx_/),
    affiliate_publisher_ids: expect.arrayContaining([expect.any(Number)]),
    affiliate_en_publisher_ids: expect.arrayContaining([expect.any(Number)]),
  });
  expect((await stat(join(home, 'data/demo/demo.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(home, 'data/demo'))).mode & 0o777).toBe(0o700);

  const commands = said.split('\n').filter((line) => line.startsWith('curl '));
  expect(commands).toHaveLength(3);
  const answers = await Promise.all(
    commands.map(
      async (command) =>
        (await promisify(execFile)('bash', ['--norc', '-c', `${command} -sSf`])).stdout,
    ),
  );
  for (const answer of answers) expect(JSON.parse(answer)).toBeInstanceOf(Array);
  expect(said).toMatch(/Imported them in \d+\.\d s \([\d,]+ rows\/s\)\./);

  const kinds = ['impressions', 'clics', 'dbclicks', 'leads', 'sales'];
  const all = await Promise.all(
    kinds.map((kind) => get(access, access.admin_token, 'admin', kind)),
  );
  expect(all.flat()).toHaveLength(ROWS);
  expect(all.every((records) => records.length > 0)).toBe(true);
  const own = await get(access, access.affiliate_en_token, 'affiliate', 'clics');
  expect(own.length).toBeGreaterThan(0);
  for (const { publisher_id, status, status_label } of own) {
    expect(access.affiliate_en_publisher_ids).toContain(publisher_id);
    expect(status_label).toBe(['Refused', 'Validated', 'Pending'][Number(status)]);
  }

  const names = async (of: string) => {
    const response = await fetch(`${access.url}/api/admin/${of}`, {
      headers: { authorization: `Bearer ${access.admin_token}` },
    });
    return ((await response.json()) as { name: string | null }[]).map(({ name }) => name);
  };
  for (const of of ['programs', 'publishers']) {
    expect((await names(of)).length).toBeGreaterThan(20);
    expect(await names(of)).not.toContain(null);
  }

  const { code, output } = await stop();
  expect(code).toBe(0);
  expect(output).not.toContain('trx_');
  expect(await readdir(join(home, 'data/demo'))).not.toContain('incoming');
});

test('the next start serves the same rows with the same tokens, and prints links that sign in', async () => {
  const before = await readAccess();
  const { said, stop } = await startDemo();
  expect(said).toContain(`Serving the ${ROWS.toLocaleString('en')} existing transactions.`);
  expect(said).not.toContain('Imported');
  const access = await readAccess();
  expect({ ...access, url: '' }).toEqual({ ...before, url: '' });
  expect((await get(access, access.admin_token, 'admin', 'sales')).length).toBeGreaterThan(0);
  const links = [...said.matchAll(/(\S+)\/#sign-in=(\w+)/g)];
  expect(links).toHaveLength(3);
  const told = links.map(async ([, url, code]) => {
    const headers = { authorization: `Bearer ${code}` };
    const answer = await fetch(`${url}/api/sign-in`, { method: 'POST', headers });
    const { token } = (await answer.json()) as { token: string };
    const me = await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
    return await me.json();
  });
  expect(await Promise.all(told)).toMatchObject([
    { role: 'admin', publisher_ids: 'all' },
    { role: 'affiliate', publisher_ids: access.affiliate_publisher_ids, locale: 'fr' },
    { role: 'affiliate', publisher_ids: access.affiliate_en_publisher_ids, locale: 'en' },
  ]);
  await stop();
});

test('a demo refuses a database with other rows', async () => {
  const url = `chdb:${join(home, 'own')}`;
  await newDatabase(join(home, 'own'), 'UTC');
  const operator = new LocalOperator(await openDatabase({ url, timeZone: undefined }));
  const path = join(home, 'own.csv');
  await writeFile(path, csv([fileRow({})]));
  await operator.importFiles({ files: [{ path, name: path }], round: false, rejects: false }, {});
  await operator.close();
  await expect(demoCommand({ rows: '1', port: '0', database: url })).rejects.toMatchObject({
    message: expect.stringContaining('already has transactions, but no file demo.json'),
    next: expect.stringContaining('--database chdb:./data/other-demo'),
  });
});

// Only in the full run. In `npm test`, control/interruptions.test.ts interrupts imports, which the demo uses.
test.runIf(IS_FULL)(
  'a demo that is killed while it fills its database can be restarted',
  async () => {
    const database = ['--database', 'chdb:./interrupted'];
    const child = startCommand(['demo', '--rows', '200000', '--port', '0', ...database], {
      directory: home,
    });
    const ended = outcomeOf(child);
    let said = '';
    child.stderr.on('data', (chunk: string) => {
      said += chunk;
    });
    await expect.poll(() => said).toContain('Making two years');
    child.kill('SIGKILL');
    await ended;
    const server = await startServing([...DEMO, ...database], { directory: home });
    expect((await server.stop()).errors).toContain('Imported them in');
  },
);

// Only in the full run. In `npm test`, the second test checks that tokens are kept, and serve.test.ts has a taken port.
test.runIf(IS_FULL)(
  'a demo whose port is taken keeps its tokens, and can be started on another port',
  async () => {
    const database = ['--database', 'chdb:./taken'];
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const filling = ['demo', '--rows', '50', ...database, '--port', String(port)];
    const { code, errors } = await runCommand(filling, { directory: home });
    taken.close();
    expect([code, errors]).toEqual([1, expect.stringContaining('Choose another port')]);
    const file = join(home, 'taken/demo.json');
    const noted = JSON.parse(await readFile(file, 'utf8')) as Access;
    const server = await startServing([...DEMO, ...database], { directory: home });
    await expect.poll(server.said).toContain('Stop with Ctrl-C.');
    expect(server.said()).toContain('Serving the 50 existing transactions.');
    const access = JSON.parse(await readFile(file, 'utf8')) as Access;
    expect(access).toEqual({ ...noted, url: server.url });
    await get(access, noted.admin_token, 'admin', 'sales');
    await server.stop();
  },
);

const WRONG_ROWS = ['0', '-5', '1e6', 'many'];

test.each(WRONG_ROWS)('a demo of %s rows is refused', async (rows) => {
  await expect(demoCommand({ rows })).rejects.toThrow('--rows must be a whole number');
});

// Only in the full run. In `npm test`, the test above calls the function of this command.
test.runIf(IS_FULL).each(WRONG_ROWS)('--rows %s is refused', async (rows) => {
  const { code, errors } = await runCommand(['demo', '--rows', rows], { directory: home });
  expect([code, errors]).toEqual([1, expect.stringContaining('--rows must be a whole number')]);
});
