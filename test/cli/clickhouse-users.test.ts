import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeDemoFile } from '../../src/demo/demo-file.ts';
import { ClickHouseServer } from '../support/clickhouse-server.ts';
import { runCommand, startServing } from '../support/command.ts';

const ROWS = 500;
const HOW_TO = new URL('../../docs/how-to/run-on-a-server.md', import.meta.url);
const WRITER = 'transactions_writer';
const READER = 'transactions_reader';

let directory: string;
let server: ClickHouseServer;

/** A server whose users have what the page grants them, and nothing else. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clickhouse-users-'));
  await mkdir(join(directory, 'server'));
  const page = await readFile(HOW_TO, 'utf8');
  const users = [WRITER, READER].map((user) => userOf(user, page)).join('');
  const files = { users: join(directory, 'users.xml'), config: join(directory, 'config.xml') };
  await writeFile(files.users, configuration(users));
  await writeFile(
    files.config,
    `<clickhouse><users_config>${files.users}</users_config></clickhouse>`,
  );
  server = await ClickHouseServer.start(join(directory, 'server'), undefined, {
    config: files.config,
  });
  await fetch(server.url, { method: 'POST', body: 'CREATE DATABASE reporting' });
  await writeDemoFile(join(directory, 'year.csv'), { rows: ROWS, lastDay: '2026-10-31' });
});

afterAll(async () => {
  await server.kill();
  await rm(directory, { recursive: true, force: true });
});

const configuration = (users: string): string => `<clickhouse>
<profiles><default/></profiles>
<quotas><default/></quotas>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>${users}</users>
</clickhouse>`;

function userOf(user: string, page: string): string {
  const grants = [...page.matchAll(new RegExp(`^GRANT [^;]+ TO ${user};`, 'gm'))].map(([text]) =>
    text.replace(` TO ${user};`, ''),
  );
  expect(grants).not.toEqual([]);
  const queries = grants.map((grant) => `<query>${grant}</query>`).join('');
  return `<${user}><password>${user}-password</password><networks><ip>127.0.0.1</ip></networks>
<profile>default</profile><quota>default</quota><grants>${queries}</grants></${user}>`;
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

test('each user can do what is theirs, and nothing more', async () => {
  expect(await run(READER, 'migrate')).toMatchObject({ code: 1 });
  expect(await run(WRITER, 'migrate')).toMatchObject({ code: 0, errors: '' });
  expect(await run(READER, 'import', 'year.csv')).toMatchObject({ code: 1 });
  expect(await run(WRITER, 'import', 'year.csv')).toMatchObject({ code: 0 });
  expect(await run(READER, 'token', 'create', '--role', 'admin')).toMatchObject({ code: 1 });
  const created = await run(WRITER, 'token', 'create', '--role', 'admin');
  expect(created).toMatchObject({ code: 0 });
  const environment = environmentOf(READER);
  const serving = await startServing(['serve', '--port', '0'], { directory, environment });
  const period = 'start_date=2025-11-01&end_date=2026-10-31';
  const counts = await Promise.all(
    ['impressions', 'clics', 'dbclicks', 'leads', 'sales'].map(async (type) => {
      const url = `${serving.url}/api/admin/transactions?type=${type}&${period}`;
      const headers = { authorization: `Bearer ${created.output.trim()}` };
      return ((await (await fetch(url, { headers })).json()) as unknown[]).length;
    }),
  );
  await serving.stop();
  expect(counts.reduce((all, count) => all + count)).toBe(ROWS);
});

test('a wrong row is refused with the same words by a user who may only write', async () => {
  await writeFile(join(directory, 'bad.csv'), 'transaction_id,amount\n1,x\n');
  const outcome = await run(WRITER, 'import', 'bad.csv', '--type', 'sales');
  expect(outcome.code).toBe(1);
  expect(`${outcome.output}${outcome.errors}`).toContain('bad.csv');
});

test('a user who may only read may stop a query of their own', async () => {
  const answer = await fetch(`${server.url}/?user=${READER}&password=${READER}-password`, {
    method: 'POST',
    body: "KILL QUERY WHERE query_id = 'none' FORMAT Null",
  });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
});
