import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { runCommand, startServing } from '../support/programs/command.ts';
import { commandsOf, provideNpx, runScript } from '../support/programs/page-commands.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

const SALES = `transaction_id,program_id,publisher_id,support_id,ip_address,clickid,status,created_at,updated_at
1,12,345,7,203.0.113.77,9f1c2ab4,2,2026-01-15 10:00:00,2026-01-15 10:00:00
2,12,345,7,2001:db8:aaaa:bbbb::77,,2,2026-02-15 10:00:00,2026-02-15 10:00:00
`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privacy-'));
  await provideNpx(folder);
  await writeFile(join(folder, 'sales.csv'), SALES);
  // In a full run, the first test creates the same database with the commands of the page.
  if (!IS_FULL) await run('masked', 'import', 'sales.csv', '--type', 'sales');
});

afterAll(async () => await rm(folder, { recursive: true, force: true }));

const run = async (IP_ADDRESSES: string, ...args: string[]) =>
  await runCommand(args, { directory: folder, environment: { IP_ADDRESSES } });

// Only in the full run. In `npm test`, address-changes.test.ts changes the setting, and erasure/command.test.ts
// erases a person.
test.runIf(IS_FULL)(
  'the commands of the page mask addresses, change the setting, and erase a person',
  async () => {
    const { status, stdout, stderr } = await runScript(
      await commandsOf('docs/how-to/privacy.md'),
      folder,
    );
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('Rendering the records of admin again');
    expect(stdout).toContain('2 rows in 2 months');
    expect(stdout).toContain('Applied: IP addresses: affiliate=masked, admin=masked.');
    expect(stdout).toContain('The personal fields of 1 transaction would be emptied.');
    expect(stdout).toContain('The personal fields of 1 transaction were emptied.');
    expect(stdout).toContain('0 rows would be removed.');
    expect(stdout).toContain('0 rows were removed.');
  },
);

test('without the migration nothing opens the database, and the message says what to type', async () => {
  for (const args of [
    ['serve', '--port', '0'],
    ['import', 'sales.csv', '--type', 'sales'],
  ]) {
    const { code, errors } = await run('hidden', ...args);
    expect(code).toBe(1);
    expect(errors).toContain('but IP_ADDRESSES is affiliate=hidden, admin=hidden.');
    expect(errors).toContain('transactions migrate');
    expect(errors).toContain('IP_ADDRESSES="affiliate=masked, admin=masked"');
  }
});

// Only in the full run. In `npm test`, the test above checks the setting against the records.
test.runIf(IS_FULL)(
  'check and the log of a start say once that affiliates receive full addresses',
  async () => {
    const notice = 'Affiliates receive the full IP addresses of visitors, which are personal data.';
    const masked = await run('', 'check');
    expect([masked.code, masked.output]).toEqual([0, expect.not.stringContaining(notice)]);
    expect((await run('full', 'migrate')).code).toBe(0);
    const { output } = await run('', 'check');
    expect(output.split(notice)).toHaveLength(2);
    expect(output).toContain('IP_ADDRESSES="affiliate=masked"');
    const server = await startServing(['serve', '--port', '0'], { directory: folder });
    const refused = await run('masked', 'migrate');
    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringContaining('but IP_ADDRESSES is'),
    ]);
    expect((await server.stop()).code).toBe(0);
    expect(server.log.filter((line) => line.includes(notice))).toHaveLength(1);
  },
);

test('a running service applies retention at its start and when it is told to', async () => {
  const old = SALES.replaceAll('2026-', '2001-');
  const directory = await mkdtemp(join(folder, 'retention-'));
  await newDatabase(join(directory, 'data'), 'UTC');
  await writeFile(join(directory, 'old.csv'), old);
  const url = `chdb:${join(directory, 'data')}`;
  const operator = new LocalOperator(await openDatabase({ url, timeZone: 'UTC' }));
  const files = [{ path: join(directory, 'old.csv'), name: 'old.csv' }];
  await operator.importFiles({ files, type: 'sales', round: false, rejects: false }, {});
  await operator.close();
  const retain = async (RETENTION: string, ...args: string[]) =>
    await runCommand(['retain', ...args], { directory, environment: { RETENTION } });
  const unset = await retain('');
  expect([unset.code, unset.errors]).toEqual([1, expect.stringContaining('RETENTION is not set')]);
  const faulty = await retain('sales=1 day');
  expect(faulty.errors).toContain('RETENTION must name months for types');
  const server = await startServing(['serve', '--port', '0'], {
    directory,
    environment: { RETENTION: 'leads=1 month' },
  });
  const planned = await retain('sales=240 months', '--dry-run', '--json');
  expect(JSON.parse(planned.output)).toMatchObject({
    dry_run: true,
    removed: [
      { month: '200101', type: 'sales', rows: 1 },
      { month: '200102', type: 'sales', rows: 1 },
    ],
  });
  expect((await retain('sales=240 months')).output).toContain('2 rows were removed.');
  expect((await retain('sales=240 months')).output).toContain('0 rows were removed.');
  await server.stop();
  const lines = server.log.filter((line) => line.includes('"msg":"retention"'));
  expect(lines[0]).toContain('"removed":[]');
  expect(lines.some((line) => line.includes('200101'))).toBe(true);
  const again = await runCommand(['import', 'old.csv', '--type', 'sales'], { directory });
  expect(again.code).toBe(1);
  expect(again.output + again.errors).toContain('is before the first month that RETENTION keeps');
});
