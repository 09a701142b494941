import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewToken } from '../../src/auth/new-token.ts';
import { RemoteOperator } from '../../src/control/remote-operator.ts';
import { runCommand } from '../support/programs/command.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { IS_FULL, withinMs } from '../support/run/test-extent.ts';

let home: string;
let service: TestService;
let admin: string;

const database = () => ['--database', `chdb:${service.database.directory}`];

/** Runs a command while the server runs, in another directory. */
const run = async (args: readonly string[], input: string | Uint8Array = '', environment = {}) =>
  await runCommand(
    [...args, ...database()],
    { directory: join(home, 'elsewhere'), environment },
    input,
  );

/** Orders things from the service like a command, but in this process. */
const remote = () => new RemoteOperator(service.database.directory ?? '');

async function createToken(order: Partial<NewToken>): Promise<{ id: string; token: string }> {
  const everything = { role: 'admin', publisherIds: [], programIds: [] } as const;
  const { record, token } = await remote().createToken({ ...everything, ...order });
  return { id: record.id, token };
}

const get = async (token: string, role = 'admin', kind = 'sales') =>
  await fetch(
    `${service.url}/api/${role}/transactions?type=${kind}&start_date=2026-01-01&end_date=2026-12-31`,
    { headers: { authorization: `Bearer ${token}` } },
  );

const idsSeen = async (token: string, role?: string, kind?: string) =>
  ((await (await get(token, role, kind)).json()) as { transaction_id: number }[]).map(
    ({ transaction_id }) => transaction_id,
  );

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-serving-'));
  await mkdir(join(home, 'elsewhere'));
  service = await startService({ timeZone: 'Europe/Paris' });
  admin = (await createToken({})).token;
});

afterAll(async () => {
  await service.close();
  await rm(home, { recursive: true, force: true });
});

test('rows imported while the service runs are visible to both roles at once', async () => {
  await writeFile(
    join(home, 'elsewhere/new.csv'),
    csv([
      fileRow({ transaction_id: 1, publisher_id: 100 }),
      fileRow({ transaction_id: 2, publisher_id: 101 }),
    ]),
  );
  const { code, output } = await run(['import', 'new.csv']);
  expect([code, output]).toEqual([0, expect.stringMatching(/^Imported 2 rows in \d/)]);
  const { token } = await createToken({ role: 'affiliate', publisherIds: [101] });
  expect(await idsSeen(admin)).toEqual([1, 2]);
  expect(await idsSeen(token, 'affiliate')).toEqual([2]);
});

// Only in the full run. In `npm test`, the test above covers imports through the server, and cli/import.test.ts
// covers standard input.
test.runIf(IS_FULL)(
  'standard input is imported through the server, compressed or not',
  async () => {
    const content = gzipSync(csv([fileRow({ transaction_id: 3, type: 'leads' })]));
    const { code, output } = await run(['import', '-', '--json'], content);
    expect([code, JSON.parse(output)]).toEqual([0, expect.objectContaining({ imported: 1 })]);
    expect(await idsSeen(admin, 'admin', 'leads')).toEqual([3]);
  },
);

test('the server returns rejected rows to the command', async () => {
  const rows = [
    fileRow({ transaction_id: 4, type: 'clics' }),
    fileRow({ pid: 'é "x"', country: 'xx' }),
  ];
  const { code, output } = await run(['import', '-', '--rejects', 'rejected.csv'], csv(rows));
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('Imported 1 row; 1 rejected row is in'),
  ]);
  const again = await run(['import', 'rejected.csv']);
  expect(again.errors).toContain('unknown column "file"');
  expect(await idsSeen(admin, 'admin', 'clics')).toEqual([4]);
});

// Only in the full run. In `npm test`, the test above gets rejected rows from the server.
test.runIf(IS_FULL)('the report of a bad import is the same as without a server', async () => {
  const rows = [fileRow({}), fileRow({ status: 9, amount: 'x' }), fileRow({ type: 'sale' })];
  await writeFile(join(home, 'elsewhere/bad.csv'), `${csv(rows)}too,few\n`);
  const served = await run(['import', 'bad.csv', '--json']);
  const text = await run(['import', 'bad.csv']);
  const alone = { directory: join(home, 'elsewhere') };
  const local = await runCommand(['import', 'bad.csv', '--json'], alone);
  const localText = await runCommand(['import', 'bad.csv'], alone);
  const facts = (output: string) => ({
    ...(JSON.parse(output) as Record<string, unknown>),
    ...{ id: '', seconds: 0, rows_per_second: 0 },
  });
  expect([served.code, local.code]).toEqual([1, 1]);
  expect(facts(served.output)).toEqual(facts(local.output));
  expect(facts(served.output)).toMatchObject({ rows: 4, imported: 0, rejected: 3 });
  expect(text).toEqual(localText);
});

// Only in the full run, like the test above.
test.runIf(IS_FULL)(
  'a file that is refused as a whole gets the same message as without a server',
  async () => {
    const header = 'type,transaction_id,pubisher_id\n';
    const served = await run(['import', '-'], header);
    const local = await runCommand(['import', '-'], { directory: join(home, 'elsewhere') }, header);
    expect(served).toEqual(local);
    expect(served.errors).toContain(
      'standard input: unknown column "pubisher_id". Did you mean "publisher_id"?',
    );
  },
);

test('a command with thousands of files and their mappings reaches the server', async () => {
  const files = Array.from({ length: 2000 }, (_, at) => ({
    path: join(home, 'nowhere'),
    name: `file ${at} ${'x'.repeat(1000)}`,
  }));
  const ordered = remote().importFiles({ files, round: false, rejects: false }, {});
  await expect(ordered).rejects.toThrow(/^file 0 x+: cannot be read: ENOENT/);
});

test('a revoked token is refused within 5 seconds, even if it was just used', async () => {
  const { id, token } = await createToken({ name: 'short-lived' });
  expect((await get(token)).status).toBe(200);
  const { output } = await run(['token', 'revoke', id]);
  expect(output).toContain(`Token ${id} is revoked`);
  const revoked = performance.now();
  while ((await get(token)).status === 200) {
    expect(performance.now() - revoked).toBeLessThan(withinMs(5000));
    await sleep(100);
  }
  expect((await get(token)).status).toBe(401);
  expect((await run(['token', 'list'])).output).toMatch(
    new RegExp(`^${id}\t.*short-lived.*revoked$`, 'm'),
  );
});

// Only in the full run. In `npm test`, a second server below is refused by the same lock.
test.runIf(IS_FULL)('check says that a server has the database open', async () => {
  const { code, output } = await run(['check']);
  expect([code, output]).toEqual([0, expect.stringContaining('A running server has it open')]);
});

test('a command with another time zone is refused before it reaches the server', async () => {
  for (const args of [['check'], ['import', '-'], ['token', 'list']]) {
    const { code, errors } = await run(args, '', { TIMEZONE: 'Asia/Tokyo' });
    expect(code).toBe(1);
    expect(errors).toContain('created for the time zone Europe/Paris, but TIMEZONE is Asia/Tokyo');
    expect(errors).toContain('Set TIMEZONE=Europe/Paris or leave it out');
  }
});

test('a second server on the same database is refused with advice', async () => {
  const { code, errors } = await run(['serve', '--port', '0']);
  expect(code).toBe(1);
  expect(errors).toMatch(/Process \d+ uses .*Stop the other process, or serve another database/s);
});

test('a command with another IP_ADDRESSES than the running service says to stop the service first', async () => {
  for (const args of [['migrate'], ['token', 'list']]) {
    const { code, errors } = await run(args, '', { IP_ADDRESSES: 'hidden' });
    expect(code).toBe(1);
    expect(errors).toContain('stop the service, then type: transactions migrate');
  }
});

test.runIf(IS_FULL)('migrate has nothing to do while a server runs', async () => {
  const { code, output } = await run(['migrate']);
  expect([code, output]).toEqual([0, 'The database has the tables of this version.\n']);
});
