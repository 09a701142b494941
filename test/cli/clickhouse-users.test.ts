import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { migrateDatabase } from '../../src/database/migrate-database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { writeDemoFile } from '../../src/demo/demo-file.ts';
import { PROFILE, readingSettings } from '../../src/engine/clickhouse/server-settings.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { readParquet } from '../support/databases/read-back.ts';
import { runCommand, startServing } from '../support/programs/command.ts';
import { everyNth } from '../support/run/sampled.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { BACKUPS, ClickHouseServer } from '../support/servers/clickhouse-server.ts';

const ROWS = 500;
const PERIOD = 'start_date=2025-11-01&end_date=2026-10-31';
const BACK_UP = new URL('../../docs/how-to/back-up.md', import.meta.url);
const HOW_TO = new URL('../../docs/how-to/run-on-a-server.md', import.meta.url);
const WRITER = 'transactions_writer';
const READER = 'transactions_reader';
/** The writer, with the additional rights that the page about backups grants. */
const BACKUP_USER = 'transactions_keeper';
/** The reader, with the profile in run-on-a-server.md, which forbids writes and changes of settings. */
const READONLY_USER = 'transactions_bound';

let directory: string;
let server: ClickHouseServer;

/** A server whose users have exactly the rights that the two pages grant. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clickhouse-users-'));
  await mkdir(join(directory, 'server'));
  const page = await readFile(HOW_TO, 'utf8');
  const backUp = await readFile(BACK_UP, 'utf8');
  const users = [
    userOf(WRITER, page),
    userOf(WRITER, page + backUp, BACKUP_USER),
    userOf(READER, page),
    userOf(READER, page, READONLY_USER, 'bound'),
  ].join('');
  const files = { users: join(directory, 'users.xml'), config: join(directory, 'config.xml') };
  await writeFile(files.users, configuration(users, profileOf(page)));
  await writeFile(
    files.config,
    `<clickhouse>${BACKUPS}<users_config>${files.users}</users_config></clickhouse>`,
  );
  server = await ClickHouseServer.start(join(directory, 'server'), undefined, {
    config: files.config,
  });
  await fetch(server.url, { method: 'POST', body: 'CREATE DATABASE reporting' });
  await writeDemoFile(join(directory, 'year.csv'), {
    rows: ROWS,
    days: 365,
    lastDay: '2026-10-31',
  });
});

afterAll(async () => {
  await server.kill();
  await rm(directory, { recursive: true, force: true });
});

/** The settings of the page's profile. */
function profileOf(page: string): Readonly<Record<string, string>> {
  const [, list = ''] = /CREATE SETTINGS PROFILE \w+ SETTINGS([^;]+);/.exec(page) ?? [];
  const settings = [...list.matchAll(/(\w+) = '?(\w+)'?/g)];
  return Object.fromEntries(settings.map(([, name = '', value = '']) => [name, value]));
}

const configuration = (users: string, bound: Readonly<Record<string, string>>): string =>
  `<clickhouse>
<profiles><default/><bound>${Object.entries(bound)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</bound></profiles>
<quotas><default/></quotas>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>${users}</users>
</clickhouse>`;

/** The configuration of a user with the rights that the page grants to the user `named`. */
function userOf(named: string, page: string, user = named, profile = 'default'): string {
  const grants = [...page.matchAll(new RegExp(`^GRANT [^;]+ TO ${named};`, 'gm'))].map(([text]) =>
    text.replace(` TO ${named};`, ''),
  );
  expect(grants).not.toEqual([]);
  const queries = grants.map((grant) => `<query>${grant}</query>`).join('');
  return `<${user}><password>${user}-password</password><networks><ip>127.0.0.1</ip></networks>
<profile>${profile}</profile><quota>default</quota><grants>${queries}</grants></${user}>`;
}

function environmentOf(user: string): Record<string, string> {
  const host = server.url.slice('http://'.length);
  return {
    DATABASE_URL: `clickhouse://${user}:${user}-password@${host}/reporting`,
    TIMEZONE: 'Europe/Paris',
  };
}

const run = async (user: string, ...args: readonly string[]) =>
  await runCommand(args, { directory, environment: environmentOf(user) });

test('each user has the rights that the how-to page grants, and no others', async () => {
  if (IS_FULL) expect(await run(READER, 'migrate')).toMatchObject({ code: 1 });
  const { DATABASE_URL: url = '', TIMEZONE: timeZone } = environmentOf(READER);
  await expect(migrateDatabase({ url, timeZone })).rejects.toThrow(/privileges|denied/i);
  expect(await run(WRITER, 'migrate')).toMatchObject({ code: 0, errors: '' });
  // The writer is first, because commands that have succeeded once share a process.
  expect(await run(WRITER, 'import', 'year.csv')).toMatchObject({ code: 0 });
  expect(await run(READER, 'import', 'year.csv')).toMatchObject({ code: 1 });
  const created = await run(WRITER, 'token', 'create', '--role', 'admin');
  expect(created).toMatchObject({ code: 0 });
  expect(await run(READER, 'token', 'create', '--role', 'admin')).toMatchObject({ code: 1 });
  const headers = { authorization: `Bearer ${created.output.trim()}` };
  // READONLY_USER serves only in the full run. In `npm test`, a test below compares its profile.
  for (const user of fullOrShort([READER, READONLY_USER], [READER])) {
    const environment = environmentOf(user);
    const serving = await startServing(['serve', '--port', '0'], { directory, environment });
    const ask = async (question: string) =>
      await fetch(`${serving.url}/api/admin/${question}&${PERIOD}`, { headers });
    const lists = KINDS.map(async (type) => {
      const rows = (await (await ask(`transactions?type=${type}`)).json()) as unknown[];
      return rows.length;
    });
    expect((await Promise.all(lists)).reduce((all, count) => all + count)).toBe(ROWS);
    const file = await ask('transactions?type=sales&format=parquet');
    expect((await readParquet(new Uint8Array(await file.arrayBuffer()))).rows.length).toBe(
      await lists.at(-1),
    );
    const sums = await (await ask(`transactions/summary?type=${KINDS}`)).json();
    expect(sums).toMatchObject([{ count: ROWS }]);
    await serving.stop();
    expect(await auditedReports(), user).toBe(KINDS.length + 2);
  }
});

test('a user who backs up needs the additional rights on the page about backups', async () => {
  expect(await run(WRITER, 'migrate')).toMatchObject({ code: 0 });
  const to = (name: string) => ['backup', join(directory, name)];
  expect(await run(BACKUP_USER, ...to('with'))).toMatchObject({ code: 0, errors: '' });
  expect(await run(WRITER, ...to('without'))).toMatchObject({ code: 1 });
  if (!IS_FULL) return;
  const relative = await run(BACKUP_USER, 'backup', 'relative');
  expect(relative.errors).toContain('Give the absolute path');
});

/** The number of reports in the audit log. READONLY_USER adds none, because its profile forbids writes. */
async function auditedReports(): Promise<number> {
  const body = "SELECT count() FROM reporting.audit FINAL WHERE event = 'report'";
  return Number(await (await fetch(server.url, { method: 'POST', body })).text());
}

test('the writer may erase, and imports apply the erasure; the reader may not erase', async () => {
  const erase = ['erase', '--subid', 'nobody', '--transaction-id', '1', '--yes'];
  const row = 'transaction_id,type,program_id,publisher_id,support_id,status,created_at,updated_at';
  const date = '2025-11-05 12:00:00';
  await writeFile(join(directory, 'one.csv'), `${row}\n1,sales,1,1,1,2,${date},${date}\n`);
  expect(await run(WRITER, 'import', 'one.csv')).toMatchObject({ code: 0, errors: '' });
  for (const flag of everyNth(['--json', '--rows'], 2, 1)) {
    expect(await run(WRITER, ...erase, flag)).toMatchObject({ code: 0, errors: '' });
  }
  expect(await run(READER, ...erase)).toMatchObject({ code: 1 });
  const { output } = await run(WRITER, 'import', 'one.csv');
  expect(output).toContain(
    'Rows of erased persons: 0 imported without personal values, 1 left out.',
  );
});

test('the writer may import names, and replace them', async () => {
  const { DATABASE_URL: url = '' } = environmentOf(WRITER);
  const operator = new LocalOperator(await openDatabase({ url, timeZone: undefined }));
  const path = join(directory, 'names.csv');
  const files = [{ path, name: 'names.csv' }];
  const replacedBy = async (text: string) => {
    await writeFile(path, `id,name\n${text}\n`);
    return await operator.importDirectory({ of: 'programs', files, replace: true }, {});
  };
  expect(await replacedBy('1,Old\n2,Gone')).toMatchObject({ imported: 2, deleted: 0 });
  expect(await replacedBy('1,New')).toMatchObject({ imported: 1, deleted: 1 });
  const lines = await Array.fromAsync(operator.directoryLines('programs'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ id: 1, name: 'New' }]);
  await operator.close();
});

test('the profile of the page has the settings that the service needs', async () => {
  const settings = Object.entries(PROFILE).map(([name, value]) => [name, String(value)]);
  expect(profileOf(await readFile(HOW_TO, 'utf8'))).toEqual(Object.fromEntries(settings));
});

test.each([
  [{}, { max_block_size: 4096, max_threads: 1, max_bytes_before_external_sort: 268_435_456 }],
  [{ isAggregation: true }, { max_bytes_before_external_group_by: 268_435_456, max_threads: 0 }],
  [
    { file: { format: 'Parquet', path: 'x' } },
    { max_block_size: 65_536, output_format_parquet_compression_method: 'snappy' },
  ],
] as const)(
  'queries to a server have the settings of the embedded engine, for %j',
  (kind, settings) => {
    expect(readingSettings({ ...plainStatement('SELECT 1'), ...kind })).toMatchObject(settings);
  },
);

test('a faulty row is reported to the writer with its file', async () => {
  await writeFile(join(directory, 'bad.csv'), 'transaction_id,amount\n1,x\n');
  const outcome = await run(WRITER, 'import', 'bad.csv', '--type', 'sales');
  expect(outcome.code).toBe(1);
  expect(`${outcome.output}${outcome.errors}`).toContain('bad.csv');
});

test('a user who may only read can stop their own query', async () => {
  const answer = await fetch(`${server.url}/?user=${READER}&password=${READER}-password`, {
    method: 'POST',
    body: "KILL QUERY WHERE query_id = 'none' FORMAT Null",
  });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
});
