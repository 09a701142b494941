import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditText } from '../../src/cli/output/audit-text.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { runCommand, type ServingCommand, startServing } from '../support/programs/command.ts';
import { parsedLines } from '../support/requests/audit-lines.ts';

const SALES = `transaction_id,program_id,publisher_id,support_id,status,ip_address,clickid,created_at,updated_at
1,12,345,7,2,198.51.100.7,c0ffee,2026-01-15 10:00:00,2026-01-15 10:00:00
2,12,346,7,2,198.51.100.8,tea,2026-01-15 10:00:00,2026-01-15 10:00:00
`;

const JANUARY = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';

let home: string;
let serving: ServingCommand;
const environment = { AUDIT_LOG: 'audit.log', DATABASE_URL: 'chdb:./data', REDIS_URL: '' };

const run = async (...args: readonly string[]) =>
  await runCommand(args, { directory: home, environment });

const audit = async (...args: readonly string[]) =>
  await run('audit', '--since', '2026-01-01', ...args);

const linesOf = async (...args: readonly string[]) => {
  const { code, output, errors } = await audit('--format', 'json', ...args);
  expect([code, errors]).toEqual([0, '']);
  return output === '' ? [] : parsedLines(output);
};

/** Reads a path with a new token. Returns the identifier of the token. */
async function reading(path: string, ...flags: readonly string[]) {
  const { output } = await run('token', 'create', '--json', ...flags);
  const { id, token } = JSON.parse(output) as { id: string; token: string };
  const headers = { authorization: `Bearer ${token}` };
  await (await fetch(`${serving.url}/api/${path}`, { headers })).arrayBuffer();
  return id;
}

const AFFILIATE = ['--role', 'affiliate', '--publisher'];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-audit-'));
  await writeFile(join(home, 'sales.csv'), SALES);
  await newDatabase(join(home, 'data'), 'UTC');
  // These commands open the database themselves.
  await run('import', 'sales.csv', '--type', 'sales');
  await run('token', 'create', '--role', 'admin', '--name', 'Gone\nforever');
  serving = await startServing(['serve', '--port', '0'], { directory: home, environment });
});

afterAll(async () => {
  await serving.stop();
  await rm(home, { recursive: true, force: true });
});

test('the audit log has what was done before the service started, and what was done through it', async () => {
  await run('import', 'sales.csv', '--type', 'sales');
  const [token] = await linesOf('--event', 'token_created');
  await run('token', 'revoke', String(token?.details.token_id));
  const lines = await linesOf();
  const [first, second, third, fourth, ...others] = lines.filter(({ event }) => event !== 'report');
  expect(first).toMatchObject({ event: 'import_started', details: { files: 1 } });
  expect(second).toMatchObject({
    event: 'import_ended',
    principal: null,
    details: { outcome: 'imported', rows: 2, imported: 2, rejected: 0, run: first?.details.run },
  });
  expect(third).toMatchObject({
    event: 'token_created',
    details: { token_name: 'Gone\nforever', token_role: 'admin', publisher_ids: 'all' },
  });
  expect(fourth).toMatchObject({
    event: 'service_started',
    details: { settings: { AUDIT_LOG: 'audit.log', AUDIT_RETENTION: '13' } },
  });
  // The environment does not set it, so it is the one of the database.
  expect(fourth?.details.settings).toMatchObject({
    IP_ADDRESSES: 'affiliate=full, admin=full',
  });
  expect(others.map(({ event }) => event)).toEqual([
    'import_started',
    'import_ended',
    'token_revoked',
  ]);
  expect(others[2]?.details.token_id).toBe(token?.details.token_id);
  expect(parsedLines(await readFile(join(home, 'audit.log'), 'utf8'))).toEqual(
    expect.arrayContaining([...lines]),
  );
});

test('the audit log has the outcome of a refused import', async () => {
  await writeFile(join(home, 'bad.csv'), 'transaction_id\nx\n');
  await run('import', 'bad.csv', '--type', 'sales');
  const last = (await linesOf('--event', 'import_ended')).at(-1);
  expect(last?.details).toMatchObject({ outcome: 'refused', imported: 0 });
});

test('audit --person finds who could have received an address, and who filtered by a click id', async () => {
  const own = await reading(`affiliate/transactions?${JANUARY}`, ...AFFILIATE, '345');
  const other = await reading(`affiliate/transactions?${JANUARY}`, ...AFFILIATE, '346');
  const admin = await reading(`admin/transactions?${JANUARY}&limit=1`, '--role', 'admin');
  const without = await reading(`admin/transactions?${JANUARY}&fields=status`, '--role', 'admin');
  const asking = await reading(
    `admin/transactions?${JANUARY}&fields=status&clickid=c0ffee`,
    '--role',
    'admin',
  );
  const found = await linesOf('--person', 'ip=198.51.100.7');
  expect(found.map(({ principal, match }) => [principal, match])).toEqual([
    [own, 'could_have_received'],
    [admin, 'could_have_received'],
  ]);
  const clicks = await linesOf('--person', 'clickid=c0ffee');
  expect(clicks.map(({ principal, match }) => [principal, match])).toEqual([
    [own, 'could_have_received'],
    [admin, 'could_have_received'],
    [asking, 'asked'],
  ]);
  expect(await linesOf('--person', 'ip=203.0.113.1')).toEqual([]);
  expect((await linesOf('--principal', other)).length).toBe(1);
  expect((await linesOf('--principal', without)).length).toBe(1);
});

test('audit --person finds the webhooks that could have delivered an address, even if they were added before the period', async () => {
  const add = async (...flags: readonly string[]) => {
    const { output } = await run('webhook', 'add', 'https://example.com/', '--json', ...flags);
    const { id } = JSON.parse(output) as { id: string };
    return id;
  };
  const own = await add(...AFFILIATE, '345');
  const other = await add(...AFFILIATE, '346');
  const leads = await add('--role', 'admin', '--type', 'leads');
  const person = ['--person', 'ip=198.51.100.7'];
  const found = await linesOf('--since', '2100-01-01', ...person);
  expect(found.map(({ event, details, match }) => [event, details.webhook_id, match])).toEqual([
    ['webhook_added', own, 'could_have_received'],
  ]);
  const eventsOf = async (...args: readonly string[]) =>
    new Set((await linesOf(...person, ...args)).map(({ event }) => event));
  expect(await eventsOf()).toEqual(new Set(['report', 'webhook_added']));
  expect(await eventsOf('--event', 'report')).toEqual(new Set(['report']));
  expect(await linesOf('--until', '2026-01-02', ...person)).toEqual([]);
  for (const id of [own, other, leads]) await run('webhook', 'remove', id);
  // The webhook was removed after the transaction was created, but before the period.
  expect(await eventsOf('--since', '2026-01-01')).toContain('webhook_added');
  expect(await linesOf('--since', '2100-01-01', ...person)).toEqual([]);
});

test('an erasure leaves a line before it changes rows and one after it, both without the erased value', async () => {
  expect(await run('erase', '--clickid', 'tea', '--yes')).toMatchObject({ code: 0 });
  const lines = (await linesOf()).slice(-2);
  expect(lines.map(({ event }) => event)).toEqual(['erasure_started', 'transactions_erased']);
  expect(lines.at(-1)?.details).toMatchObject({ transactions: 1 });
  expect(new Set(lines.map(({ details }) => details.run)).size).toBe(1);
  for (const { details } of lines) {
    expect(details).toMatchObject({ mode: 'empty', run: expect.any(String) });
    expect(details.selectors).toEqual([{ field: 'clickid', values: [expect.any(String)] }]);
    expect(JSON.stringify(details)).not.toContain('tea');
  }
});

test('a spreadsheet runs no name and no principal of the CSV as a formula', async () => {
  const line = {
    ...{ at: '2026-01-15T12:00:00.000Z', id: '1', event: 'report', role: 'admin', client: null },
    ...{ principal: '@SUM(A1)', name: '=HYPERLINK(1)', request_id: null, details: {} },
  };
  const lines = async function* () {
    yield JSON.stringify(line);
  };
  const [, text] = await Array.fromAsync(auditText(lines(), 'csv'));
  expect(text).toContain(`,"report","'@SUM(A1)","'=HYPERLINK(1)","admin",`);
});

test('a table and CSV have one line for each event, whatever a name contains', async () => {
  const lines = await linesOf();
  const table = await audit();
  expect(table.output.trimEnd().split('\n').length).toBe(1 + lines.length);
  const csv = await audit('--format', 'csv');
  expect(
    csv.output.startsWith(
      '"at","id","event","principal","name","role","client","request_id","match","details"\r\n',
    ),
  ).toBe(true);
  expect(csv.output.trimEnd().split('\r\n').length).toBe(1 + lines.length);
});

test.each([
  [['--until', 'x'], '--until is not a valid date or time'],
  [['--person', 'name=x'], '--person must have the form field=value'],
  [['--person', 'ip=198.51.100.700'], 'ip must be an IPv4 or IPv6 address'],
  [['--person', 'userid=x'], 'userid must be a whole number'],
  [
    ['--person', 'clickid=x', '--event', 'token_created'],
    '--person searches only the events report and webhook_added',
  ],
  [['--event', 'token_create'], 'Did you mean "token_created"?'],
  [['--format', 'xml'], '--format must be one of table, json, csv'],
])('audit %j is refused with advice', async (args, message) => {
  const { code, errors } = await audit(...args);
  expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
});

test('audit --until shows only earlier lines', async () => {
  expect(await linesOf('--until', '2026-01-02')).toEqual([]);
  expect(await linesOf('--until', '2100-01-01')).not.toEqual([]);
});
