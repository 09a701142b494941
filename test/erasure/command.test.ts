import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isConfirmed } from '../../src/cli/commands/erase-command.ts';
import { runCommand } from '../support/programs/command.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { BYTES_OF_PERSON, PERSON, personRow } from '../support/rows/person.ts';
import { filesWith } from './raw-files.ts';

const OTHER = fileRow({ clickid: 'another' });

let home: string;
let service: TestService;
/** Of the database. */
let directory: string;

const run = async (args: readonly string[], input = '') =>
  await runCommand([...args, '--database', `chdb:${directory}`], { directory: home }, input);

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-erase-'));
  const rows = csv([OTHER, personRow({}), personRow({})]);
  await writeFile(join(home, 'file.csv'), rows);
  await writeFile(join(home, 'clicks.txt'), `no such click\r\n${PERSON.clickid}\n\n`);
  await writeFile(join(home, 'marked.txt'), `\uFEFF${PERSON.clickid}\r\n`);
  await writeFile(join(home, 'latin.txt'), 'cl\u00E9\n', 'latin1');
  await writeFile(join(home, 'utf16.txt'), 'click\n', 'utf16le');
  await writeFile(join(home, 'empty.txt'), '\n');
  await writeFile(join(home, 'ips.txt'), '198.18.0.1\n\n203.0.113\n');
  service = await startService({ timeZone: 'UTC' });
  directory = service.database.directory ?? '';
  await service.importText(rows);
});

afterAll(async () => {
  await service.close();
  await rm(home, { recursive: true, force: true });
});

const GROUPS = [{ type: 'sales', month: '2026-01', transactions: 2 }];

test('a dry run shows the number of rows to erase by month and type, and changes nothing', async () => {
  const values = ['erase', '--clickid', '@clicks.txt', '--dry-run'];
  const { code, output, errors } = await run(values);
  expect([code, errors]).toEqual([0, '']);
  expect(output).toBe(
    'month\ttype\ttransactions\n2026-01\tsales\t2\nThe personal fields of 2 transactions would be emptied.\n',
  );
  expect(JSON.parse((await run([...values, '--json'])).output)).toEqual({
    outcome: 'nothing changed',
    transactions: 2,
    groups: GROUPS,
  });
});

test('the first value of a file with a byte order mark is found', async () => {
  const { output } = await run(['erase', '--clickid', '@marked.txt', '--dry-run', '--json']);
  expect(JSON.parse(output)).toMatchObject({ transactions: 2 });
});

test.each([
  ['erase\n', true],
  ['yes\n', false],
  ['', false],
])(
  'the answer %j to the question, which follows the preview, is read as %s',
  async (answer, isYes) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    input.end(answer);
    expect(await isConfirmed('2 transactions would be removed.', { input, output })).toBe(isYes);
    expect(await text(output.end())).toMatch(
      /^2 transactions would be removed\.\nThis cannot be undone/,
    );
  },
);

test('without a terminal and without --yes, nothing is erased', async () => {
  const { code, errors } = await run(['erase', '--clickid', PERSON.clickid]);
  expect([code, errors]).toEqual([1, expect.stringContaining('Nothing was erased')]);
});

test.each([
  [[], 'No option selects transactions to erase.'],
  [['--userid', 'x1'], '--userid: must be an identifier'],
  [
    ['--ip-address', '203.0.113'],
    '--ip-address: must be an IPv4 or IPv6 address. Nothing was erased.',
  ],
  [['--ip-address', 'fe80::1%eth0'], '--ip-address: must be an IPv4 or IPv6 address'],
  [['--clickid', ''], '--clickid: must not be empty.'],
  [['--clickid', '@empty.txt'], 'empty.txt has no values. Nothing was erased.'],
  [['--ip-address', '@ips.txt'], 'ips.txt, line 3: must be an IPv4 or IPv6 address.'],
  [['--clickid', '@latin.txt'], 'latin.txt is not UTF-8. Nothing was erased.'],
  [['--clickid', '@utf16.txt'], 'utf16.txt is not UTF-8. Nothing was erased.'],
  [['--clickid', '@missing.txt'], 'The file missing.txt cannot be read: ENOENT.'],
  [['--clickid', '-', '--subid', '-'], 'Only one option can read standard input (-).'],
])('%j is refused', async (values, message) => {
  const { code, output, errors } = await run(['erase', ...values, '--yes'], 'x\n');
  expect([code, output, errors]).toEqual([1, '', expect.stringContaining(message)]);
});

test('a dry run with --rows says that the transactions would be removed', async () => {
  const { output } = await run(['erase', '--clickid', PERSON.clickid, '--rows', '--dry-run']);
  expect(output).toContain('2 transactions would be removed, also from counts and sums.');
});

test('a wrong value is not shown', async () => {
  const { errors } = await run(['erase', '--userid', 'secret', '--yes']);
  expect(errors).not.toContain('secret');
});

test('values are erased while the server runs, and an import reports what it applies', async () => {
  const erased = await run(['erase', '--clickid', '-', '--yes', '--json'], PERSON.clickid);
  expect([erased.code, erased.errors]).toEqual([0, '']);
  expect(JSON.parse(erased.output)).toEqual({
    outcome: 'emptied',
    transactions: 2,
    groups: GROUPS,
  });
  expect(await filesWith(directory, BYTES_OF_PERSON)).toEqual([]);
  const again = await run(['import', 'file.csv']);
  expect(again.output).toContain(
    'Rows of erased persons: 2 imported without personal values, 0 left out.',
  );
  expect(await filesWith(directory, BYTES_OF_PERSON)).toEqual([]);
  const removed = await run(['erase', '--clickid', 'another', '--rows', '--yes']);
  expect(removed.output).toContain(
    'Removed 1 transaction. No file of the database contains their values any more.',
  );
  const none = await run(['erase', '--clickid', 'nobody', '--yes']);
  expect(none.output).toBe('The personal fields of 0 transactions were emptied.\n');
});
