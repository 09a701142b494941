import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfToken, isAccessToken, isSignInCode } from '../../src/auth/access-token.ts';
import type { NewToken } from '../../src/auth/new-token.ts';
import { codeIn } from '../../src/contract/tokens/sign-in-address.ts';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { COMMAND, outcomeOf, runCommand } from '../support/programs/command.ts';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-tokens-'));
  await newDatabase(join(home, 'data'), 'UTC');
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

const run = async (...args: readonly string[]) =>
  await runCommand(['token', ...args], { directory: home });

interface Created {
  readonly id: string;
  readonly token: string;
  readonly expires_at: string | null;
}

async function create(...flags: readonly string[]): Promise<Created> {
  const { output } = await run('create', '--json', ...flags);
  return JSON.parse(output) as Created;
}

const ADMIN = { role: 'admin', publisherIds: [], programIds: [] } as const;

/** Uses a database of this test file in this process, between commands. */
async function withOperator(
  name: string,
  use: (operator: LocalOperator, engine: Engine) => Promise<void>,
): Promise<void> {
  const url = `chdb:${join(home, name)}`;
  const database = await openDatabase({ url, timeZone: undefined });
  const operator = new LocalOperator(database);
  await use(operator, database.engine);
  await operator.close();
}

test('token list says how to create the first token', async () => {
  expect((await run('list')).output).toContain('Create one: transactions token create');
  expect((await run('list', '--json')).output).toBe('[]\n');
});

test('token create --json prints one line with exactly the documented keys', async () => {
  const { code, output, errors } = await run(
    ...['create', '--json', '--role', 'affiliate', '--publisher', '345,347', '--publisher', '346'],
    ...['--program', '7', '--locale', 'de-AT', '--name', 'Blog', '--expires', '12h'],
  );
  expect([code, errors]).toEqual([0, '']);
  expect(output).toMatch(/^\{.*\}\n$/);
  const created = JSON.parse(output) as Created;
  expect(created).toEqual({
    id: expect.stringMatching(/^\w{10}$/),
    token: expect.stringMatching(/^trx_/),
    role: 'affiliate',
    publisher_ids: [345, 347, 346],
    program_ids: [7],
    locale: 'de',
    expires_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    may_manage_tokens: false,
  });
  expect(Object.keys(created)).toEqual([
    'id',
    'token',
    'role',
    'publisher_ids',
    'program_ids',
    'locale',
    'expires_at',
    'may_manage_tokens',
  ]);
  expect(isAccessToken(created.token)).toBe(true);
});

test('defaults of token create are null, empty or 90 days', async () => {
  const created = await create('--role', 'admin');
  expect(created).toMatchObject({ publisher_ids: [], program_ids: [], locale: null });
  const days = (Date.parse(created.expires_at ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(89.9);
  expect(days).toBeLessThan(90.1);
  expect((await create('--role', 'admin', '--expires', 'never')).expires_at).toBeNull();
});

test('token create prints only the token to standard output', async () => {
  const { output, errors } = await run('create', '--role', 'admin', '--expires', '30m');
  expect(isAccessToken(output.trimEnd())).toBe(true);
  expect(errors).toMatch(/^Token \w{10} for an admin, valid until 20/);
  expect(errors).toMatch(
    /only time it is shown\. Revoke it with: transactions token revoke \w{10}\n$/,
  );
  expect(errors).not.toContain('trx_');
});

// Linux only: the file on which every write fails.
test.skipIf(!existsSync('/dev/full'))(
  'a token that cannot be printed is named, because nobody has it',
  async () => {
    const command = `"${process.execPath}" "${COMMAND}" token create --role admin --json > /dev/full`;
    // No variables that ask for colours.
    const options = { cwd: home, env: { PATH: process.env.PATH } };
    const { code, errors } = await outcomeOf(spawn('sh', ['-c', command], options));
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(
        /error: Token (\w{10}) could not be printed \(ENOSPC\)\.\nNobody has it, so revoke it: transactions token revoke \1\n$/m,
      ),
    ]);
  },
);

describe('token list', () => {
  const forging = 'a\nforged\tline\u001b[2J\u202e\u200b é';
  const ids = { expired: '', revoked: '', managing: '' };
  let created: Created;
  let table: string;
  let json: string;
  let listed: readonly { readonly id: string; readonly name: string | null }[];

  // One list for all of these tests.
  beforeAll(async () => {
    created = await create('--role', 'affiliate', '--publisher', '9', '--name', 'Listed');
    ids.managing = (await create('--role', 'admin', '--may-manage-tokens')).id;
    await withOperator('data', async (operator) => {
      const idOf = async (given: Partial<NewToken>) =>
        (await operator.createToken({ ...ADMIN, ...given })).record.id;
      ids.expired = await idOf({ expiresAt: new Date(Date.now() - 1000) });
      ids.revoked = await idOf({});
      await idOf({ name: forging });
    });
    expect((await run('revoke', ids.revoked, '--json')).output).toBe(
      `{"id":"${ids.revoked}","revoked":true,"stopped_webhooks":[],"valid_tokens":[]}\n`,
    );
    // Revoking it again has no effect.
    expect((await run('revoke', ids.revoked)).code).toBe(0);
    table = (await run('list')).output;
    json = (await run('list', '--json')).output;
    listed = JSON.parse(json);
  });

  test('shows everything except tokens and their hashes', () => {
    expect(table).toMatch(
      new RegExp(`^${created.id}\taffiliate\t9\tall\t\tListed\t\t20\\S+\tvalid$`, 'm'),
    );
    expect(Object.keys(listed.find(({ id }) => id === created.id) ?? {}).sort()).toEqual([
      'created_at',
      'created_by',
      'expires_at',
      'id',
      'link_expires_at',
      'locale',
      'may_manage_tokens',
      'name',
      'program_ids',
      'publisher_ids',
      'revoked_at',
      'role',
    ]);
    for (const text of [table, json]) {
      expect(text).not.toContain('trx_');
      expect(text).not.toContain(hashOfToken(created.token));
      expect(text).not.toMatch(/[0-9a-f]{64}/);
    }
  });

  test('shows an admin who may manage tokens, by --may-manage-tokens', () => {
    const { managing: id } = ids;
    expect(listed).toContainEqual(expect.objectContaining({ id, may_manage_tokens: true }));
    expect(table).toContain(`${id}\tadmin, manages tokens\t`);
  });

  test('shows which tokens are valid, expired and revoked', () => {
    expect(table).toMatch(new RegExp(`^${ids.expired}\t.*\texpired$`, 'm'));
    expect(table).toMatch(new RegExp(`^${ids.revoked}\t.*\trevoked$`, 'm'));
  });

  test('shows a name that cannot forge a line or send commands to the terminal', () => {
    expect(table).toContain('\ta\\u{a}forged\\u{9}line\\u{1b}[2J\\u{202e}\\u{200b} é\t');
    expect(listed.map(({ name }) => name)).toContain(forging);
  });
});

test('token create --link prints a link to the page, which is listed and can be revoked', async () => {
  const { output } = await runCommand(
    ['token', 'create', '--json', '--role', 'affiliate', '--publisher', '345', '--link'],
    { directory: home, environment: { PUBLIC_URL: 'https://reports.example.com' } },
  );
  const link = JSON.parse(output) as { id: string; url: string; link_expires_at: string };
  expect(link).toMatchObject({ role: 'affiliate', publisher_ids: [345], may_manage_tokens: false });
  const { origin, pathname, hash } = new URL(link.url);
  expect([origin, pathname]).toEqual(['https://reports.example.com', '/']);
  expect(isSignInCode(codeIn(hash) ?? '')).toBe(true);
  const listed = async () => (await run('list')).output;
  expect(await listed()).toMatch(
    new RegExp(`^${link.id}\t.*\tlink until ${link.link_expires_at}$`, 'm'),
  );
  expect((await run('revoke', link.id)).code).toBe(0);
  expect(await listed()).not.toContain(link.id);
  const shown = await run('create', '--role', 'admin', '--link');
  expect(shown.output).toMatch(/^http:\/\/127\.0\.0\.1:3000\/#sign-in=\w{42}\n$/);
  expect(shown.errors).toContain('valid once and until 20');
  expect(shown.errors).toContain('Set PUBLIC_URL');
});

describe('a refused command', () => {
  let before: string;

  beforeAll(async () => {
    before = (await run('list', '--json')).output;
  });

  test.each([
    [['--role', 'admn'], 'Did you mean "admin"?'],
    [['--role', 'affiliate'], 'at least one website: --publisher ID'],
    [['--role', 'admin', '--publisher', '1'], '--publisher is for affiliates'],
    [
      ['--role', 'affiliate', '--publisher', '1x'],
      '--publisher 1x is not an identifier: a whole number from 0 to 9007199254740991, without leading zeros.',
    ],
    [
      ['--role', 'affiliate', '--publisher', '9007199254740992'],
      '--publisher 9007199254740992 is not an identifier',
    ],
    [['--role', 'affiliate', '--publisher', '007'], '--publisher 007 is not an identifier'],
    [['--role', 'admin', '--program', '-1'], '--program -1 is not an identifier'],
    [['--role', 'admin', '--name', 'x'.repeat(201)], '--name must have at most 200 characters'],
    [['--role', 'admin', '--locale', 'xx'], '--locale must be one of fr, en, de, es, it, nl, pt'],
    [
      ['--role', 'affiliate', '--publisher', '1', '--may-manage-tokens'],
      'Only an admin may manage tokens',
    ],
    [['--role', 'admin', '--expires', '90'], '--expires must be a number of days'],
    [['--role', 'admin', '--expires', '0d'], '--expires must be a number of days'],
    [['--role', 'admin', '--expires', '99999d'], 'before the year 2106'],
  ])('a token with %j is refused with a valid example', async (flags, message) => {
    const { code, output, errors } = await run('create', ...flags);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain(message);
    expect(errors).toMatch(/\ntransactions token create --role .*\n$/);
  });

  test('creates no token', async () => {
    expect((await run('list', '--json')).output).toBe(before);
  });
});

test('an unknown token cannot be revoked', async () => {
  const { code, errors } = await run('revoke', 'nothing');
  expect([code, errors]).toEqual([
    1,
    'error: There is no token nothing.\nList the tokens: transactions token list\n',
  ]);
});

test('token revoke succeeds even if the webhooks of the token cannot be read', async () => {
  await newDatabase(join(home, 'other/data'), 'UTC');
  const runHere = async (...args: readonly string[]) =>
    await runCommand(['token', ...args], { directory: join(home, 'other') });
  let id = '';
  await withOperator('other/data', async (operator, engine) => {
    id = (await operator.createToken(ADMIN)).record.id;
    await engine.execute(plainStatement('DROP TABLE webhooks SYNC'));
  });
  const text = await runHere('revoke', id);
  expect(text).toMatchObject({
    code: 0,
    output: `Token ${id} is revoked; every server refuses it within 5 seconds.\n`,
    errors: expect.stringMatching(
      /webhooks.*\nSee what the token has created: transactions webhook list/s,
    ),
  });
  const json = await runHere('revoke', id, '--json');
  expect(JSON.parse(json.output)).toEqual({
    id,
    revoked: true,
    stopped_webhooks: null,
    valid_tokens: null,
  });
  const [listed] = JSON.parse((await runHere('list', '--json')).output);
  expect(listed).toMatchObject({ id, revoked_at: expect.any(String) });
});
