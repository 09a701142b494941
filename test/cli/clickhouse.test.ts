import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeDemoFile } from '../../src/demo/demo-file.ts';
import { demoPlatform } from '../../src/demo/platform/demo-platform.ts';
import { runCommand, startServing } from '../support/programs/command.ts';
import { IS_FULL } from '../support/run/test-extent.ts';
import { CLUSTER, ClickHouseCluster } from '../support/servers/clickhouse-cluster.ts';
import { ClickHouseServer } from '../support/servers/clickhouse-server.ts';

const ROWS = 3000;
const YEAR = 'start_date=2025-11-01&end_date=2026-10-31';
const affiliate = demoPlatform().affiliates[0];

let directory: string;
let server: ClickHouseServer;
let address: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clickhouse-cli-'));
  server = await ClickHouseServer.start(join(directory, 'server'));
  await fetch(server.url, { method: 'POST', body: 'CREATE DATABASE reports' });
  address = `clickhouse://default@${server.url.slice('http://'.length)}/reports`;
  if (!IS_FULL) return;
  await writeDemoFile(join(directory, 'year.csv'), {
    rows: ROWS,
    days: 365,
    lastDay: '2026-10-31',
  });
  const csv = await readFile(join(directory, 'year.csv'));
  await writeFile(join(directory, 'year.csv.gz'), gzipSync(csv));
});

afterAll(async () => {
  await server.kill();
  await rm(directory, { recursive: true, force: true });
});

const run = async (database: string, ...args: string[]) =>
  await runCommand(args, {
    directory,
    environment: { DATABASE_URL: database, TIMEZONE: 'Europe/Paris' },
  });

/** Imports a file, and returns each role's list of each type. */
async function answersOf(database: string, file: string): Promise<readonly string[]> {
  expect(await run(database, 'import', file)).toMatchObject({ code: 0 });
  const websites = (affiliate?.publisherIds ?? []).flatMap((id) => ['--publisher', String(id)]);
  const admin = await run(database, 'token', 'create', '--role', 'admin', '--locale', 'fr');
  const other = await run(database, 'token', 'create', '--role', 'affiliate', ...websites);
  const environment = { DATABASE_URL: database };
  const serving = await startServing(['serve', '--port', '0'], { directory, environment });
  const answers: string[] = [];
  for (const [role, { output }] of [
    ['admin', admin],
    ['affiliate', other],
  ] as const) {
    for (const type of ['impressions', 'clics', 'dbclicks', 'leads', 'sales']) {
      const headers = { authorization: `Bearer ${output.trim()}` };
      const response = await fetch(`${serving.url}/api/${role}/transactions?type=${type}&${YEAR}`, {
        headers,
      });
      answers.push(await response.text());
    }
  }
  await serving.stop();
  return answers;
}

test('a database without migrated tables is refused with the command that migrates it', async () => {
  const outcome = await run(address, 'serve', '--port', '0');
  expect(outcome.code).toBe(1);
  expect(outcome.errors).toContain('transactions migrate');
  // In `npm test`, clickhouse-users.test.ts migrates a server.
  if (IS_FULL) expect(await run(address, 'migrate')).toMatchObject({ code: 0 });
});

// Only in the full run. In `npm test`, clickhouse-users.test.ts migrates, imports and serves by commands on a
// server, and cluster/imports.test.ts on a cluster. Other tests compare the stores without processes.
test.runIf(IS_FULL)(
  'a server and a cluster give the same bytes as the embedded engine after the same import',
  async () => {
    const embedded = await answersOf(`chdb:${join(directory, 'embedded')}`, 'year.csv');
    const served = await answersOf(address, 'year.csv.gz');
    expect(served).toEqual(embedded);
    const rows = served.slice(0, 5).flatMap((text) => JSON.parse(text) as unknown[]);
    expect(rows).toHaveLength(ROWS);
    const cluster = await ClickHouseCluster.start(join(directory, 'cluster'));
    try {
      const migrated = await run(cluster.address(), 'migrate', '--cluster', CLUSTER);
      expect(migrated).toMatchObject({ code: 0 });
      expect(await answersOf(cluster.address(), 'year.csv')).toEqual(embedded);
    } finally {
      await cluster.close();
    }
  },
);

// Only in the full run. In `npm test`, clickhouse-users.test.ts reports a faulty row, and import.test.ts rejected rows.
test.runIf(IS_FULL)(
  'faulty rows are reported by line and rejected, as with the embedded engine',
  async () => {
    const header = 'transaction_id,program_id,publisher_id,support_id,status,created_at,updated_at';
    const good = '1,1,1,1,2,2026-01-01 00:00:00,2026-01-01 00:00:00';
    await writeFile(
      join(directory, 'mixed.csv'),
      `${header}\n${good}\n2,1,1,1,2,2026-02-30 00:00:00,2026-01-01 00:00:00\n`,
    );
    const refused = await run(address, 'import', 'mixed.csv', '--type', 'leads');
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('mixed.csv:3');
    const partial = await run(
      address,
      'import',
      'mixed.csv',
      '--type',
      'leads',
      '--rejects',
      'rejected.csv',
      '--json',
    );
    expect(JSON.parse(partial.output)).toMatchObject({ imported: 1, rejected: 1 });
    expect(await readFile(join(directory, 'rejected.csv'), 'utf8')).toContain('2026-02-30');
    const left = await fetch(
      `${server.url}/?query=SELECT+count()+FROM+system.tables+WHERE+name+LIKE+'import%25_%25'+AND+database='reports'+AND+name!='imports'`,
    );
    expect(await left.text()).toBe('0\n');
  },
);

test('an unreachable server is reported without the password', async () => {
  const outcome = await run('clickhouse://reader:geheim@127.0.0.1:1/reports', 'check');
  expect(outcome.code).toBe(1);
  expect(outcome.errors).toContain('No server of the database answers');
  expect(outcome.output + outcome.errors).not.toContain('geheim');
});
