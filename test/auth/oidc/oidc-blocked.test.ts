import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDatabase } from '../../support/databases/copied-database.ts';
import { runCommand, type ServingCommand, startServing } from '../../support/programs/command.ts';
import { adminClaims, forgedToken } from './oidc-fixtures.ts';
import { AUDIENCE, type RunningProvider, signingKey, startProvider } from './oidc-provider.ts';

const KEY = await signingKey('first');

let home: string;
let provider: RunningProvider;
let server: ServingCommand;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-blocked-'));
  await newDatabase(join(home, 'data'), 'UTC');
  provider = await startProvider(KEY);
  server = await startServing(['serve', '--port', '0'], {
    directory: home,
    environment: { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE },
  });
});

afterAll(async () => {
  await server.stop();
  await provider.close();
  await rm(home, { recursive: true, force: true });
});

const run = async (...args: readonly string[]) =>
  await runCommand(['token', ...args], { directory: home });

async function statusOf(sub: string): Promise<number> {
  const token = await forgedToken(KEY, { ...adminClaims(provider.issuer), sub });
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${server.url}/api/me`, { headers })).status;
}

test('a running service refuses the tokens of a blocked subject until it is unblocked', async () => {
  expect([await statusOf('auth0|one'), await statusOf('auth0|two')]).toEqual([200, 200]);
  expect(await run('block', 'auth0|one')).toMatchObject({ code: 0, errors: '' });
  await expect.poll(async () => await statusOf('auth0|one')).toBe(401);
  expect(await statusOf('auth0|two')).toBe(200);
  const unblocked = await run('unblock', 'auth0|one', '--json');
  expect(unblocked.output).toBe('{"subject":"auth0|one","blocked":false}\n');
  await expect.poll(async () => await statusOf('auth0|one')).toBe(200);
});

test('token list shows blocked subjects, which cannot forge a line', async () => {
  const forged = 'x\n\u001b[2Kauth0|nobody';
  await run('block', forged);
  await run('block', forged);
  const { output } = await run('list');
  expect(output).toMatch(/^blocked subject\s+since$/m);
  expect(output.match(/nobody/g)).toHaveLength(1);
  expect(output).toContain('x\\u{a}\\u{1b}[2Kauth0|nobody');
  expect((await run('list', '--json')).output).toBe('[]\n');
  await run('unblock', forged);
  expect((await run('list')).output).not.toContain('nobody');
});

test('unblock refuses a subject that is not blocked, and block refuses an empty one', async () => {
  const unblocked = await run('unblock', 'somebody');
  expect([unblocked.code, unblocked.errors]).toEqual([
    1,
    expect.stringContaining('somebody is not blocked'),
  ]);
  expect(await run('block', '')).toMatchObject({ code: 1 });
});
