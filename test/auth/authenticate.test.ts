import { afterEach, expect, test, vi } from 'vitest';
import { hashOfToken, newAccessToken } from '../../src/auth/access-token.ts';
import { authenticator } from '../../src/auth/authenticate.ts';
import type { FindTokenFrom } from '../../src/auth/invalid-token-limit.ts';
import type { Principal } from '../../src/auth/principal.ts';
import type { FindToken, TokenRecord } from '../../src/auth/token-record.ts';
import { Problem } from '../../src/contract/problems/problems.ts';
import { RECORD, refusalOf } from './token-fixtures.ts';

const TOKEN = newAccessToken();
const ADDRESS = '192.0.2.1';
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzb21lb25lIn0.c2lnbmF0dXJl';
const SOMEONE: Principal = { id: 'sub', role: 'admin', publisherIds: 'all', programIds: 'all' };

/** A lookup that finds only `TOKEN`, with this record. */
const knows =
  (record: TokenRecord): FindToken =>
  async (hash) =>
    hash === hashOfToken(TOKEN) ? record : undefined;

/** Authenticates headers as if one client sent all requests. */
const authenticateBy =
  (lookups: Parameters<typeof authenticator>[0]) =>
  (header: string | undefined): Promise<Principal> =>
    authenticator(lookups)(header, ADDRESS);

const authenticate = authenticateBy({ findToken: knows(RECORD) });

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['as RFC 6750 writes it', `Bearer ${TOKEN}`],
  ['in lower case', `bearer ${TOKEN}`],
  ['in upper case', `BEARER ${TOKEN}`],
  ['with more spaces', `Bearer    ${TOKEN}`],
  ['with spaces at the end', `Bearer ${TOKEN}  `],
])('a header %s authenticates the owner of the token', async (_, header) => {
  expect(await authenticate(header)).toMatchObject({ id: 'tok_1', publisherIds: [7, 9] });
});

test.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['a header of spaces', '   '],
  ['another scheme', 'Basic dXNlcjpwYXNzd29yZA=='],
  ['another scheme with the token', `Token ${TOKEN}`],
  ['the token without its scheme', TOKEN],
  ['the scheme and the token without a space', `Bearer${TOKEN}`],
])('%s is not a bearer token', async (_, header) => {
  expect(await refusalOf(() => authenticate(header))).toBe('token_missing');
});

test.each([
  ['the scheme alone', 'Bearer'],
  ['the scheme and a space', 'Bearer '],
  ['a colon after the scheme', `Bearer: ${TOKEN}`],
  ['a tab after the scheme', `Bearer\t${TOKEN}`],
  ['two tokens', `Bearer ${TOKEN} ${TOKEN}`],
  ['two tokens with a comma', `Bearer ${TOKEN},${TOKEN}`],
  ['two headers made one', `Bearer ${TOKEN}, Bearer ${TOKEN}`],
  ['the scheme twice', `Bearer Bearer ${TOKEN}`],
  ['quotes', `Bearer "${TOKEN}"`],
  ['the placeholder’s brackets', `Bearer <${TOKEN}>`],
  ['a parameter', `Bearer token=${TOKEN}x!`],
  ['a letter outside of ASCII', `Bearer ${TOKEN.slice(0, -1)}é`],
  ['a non-ASCII space', `Bearer\u00a0${TOKEN}`],
  ['a line break', `Bearer ${TOKEN}\n`],
  ['a zero byte', `Bearer ${TOKEN}\0`],
  ['a truncated token', `Bearer ${TOKEN.slice(0, -1)}`],
  ['a token with a character too many', `Bearer ${TOKEN}0`],
  ['padding after the token', `Bearer ${TOKEN}=`],
  ['the prefix alone', 'Bearer trx_'],
])('%s is malformed', async (_, header) => {
  expect(await refusalOf(() => authenticate(header))).toBe('token_malformed');
});

test('a malformed token is refused without a query to the database', async () => {
  const findToken = vi.fn<FindToken>();
  const header = `Bearer ${TOKEN.slice(0, -1)}`;
  expect(await refusalOf(() => authenticateBy({ findToken })(header))).toBe('token_malformed');
  expect(findToken).not.toHaveBeenCalled();
});

test('the lookup gets the hash and the address, never the token', async () => {
  const findToken = vi.fn<FindTokenFrom>(async () => RECORD);
  await authenticateBy({ findToken })(`Bearer ${TOKEN}`);
  expect(findToken.mock.calls).toEqual([[hashOfToken(TOKEN), ADDRESS]]);
});

test('an unknown token is refused', async () => {
  expect(await refusalOf(() => authenticate(`Bearer ${newAccessToken()}`))).toBe('token_invalid');
});

test.each([
  ['an unknown token', 'abcdef'],
  ['a token in another case', TOKEN.replace('trx_', 'TRX_')],
  ['a JSON Web Token', JWT],
])('%s is refused if no identity provider is configured', async (_, token) => {
  expect(await refusalOf(() => authenticate(`Bearer ${token}`))).toBe('token_invalid');
});

test('a JSON Web Token is verified by the identity provider, if one is configured', async () => {
  const verifyJwt = vi.fn(async () => SOMEONE);
  const findToken = vi.fn<FindToken>();
  expect(await authenticateBy({ findToken, verifyJwt })(`Bearer ${JWT}`)).toBe(SOMEONE);
  expect(verifyJwt.mock.calls).toEqual([[JWT]]);
  expect(findToken).not.toHaveBeenCalled();
});

test.each(['abcdef', 'a.b', 'a.b.c.d', 'a..c', '.b.c', 'a.b+.c'])(
  'the token %s never goes to the identity provider',
  async (token) => {
    const verifyJwt = vi.fn(async () => SOMEONE);
    const check = authenticateBy({ findToken: knows(RECORD), verifyJwt });
    expect(await refusalOf(() => check(`Bearer ${token}`))).toBe('token_invalid');
    expect(verifyJwt).not.toHaveBeenCalled();
  },
);

test('the service’s own tokens never go to the identity provider', async () => {
  const verifyJwt = vi.fn(async () => SOMEONE);
  const check = authenticateBy({ findToken: knows(RECORD), verifyJwt });
  expect(await check(`Bearer ${TOKEN}`)).toMatchObject({ id: 'tok_1' });
  expect(await refusalOf(() => check('Bearer trx_a.b.c'))).toBe('token_malformed');
  expect(verifyJwt).not.toHaveBeenCalled();
});

test('a refusal by the identity provider is passed on', async () => {
  const verifyJwt = async () => Promise.reject(new Problem('token_expired'));
  const check = authenticateBy({ findToken: knows(RECORD), verifyJwt });
  expect(await refusalOf(() => check(`Bearer ${JWT}`))).toBe('token_expired');
});

test('a failure of the database is not reported as a refused token', async () => {
  const failure = new Error('The database is away.');
  const check = authenticateBy({ findToken: async () => Promise.reject(failure) });
  await expect(check(`Bearer ${TOKEN}`)).rejects.toBe(failure);
});

test('a token is refused from the instant of its expiry', async () => {
  const expiresAt = new Date('2026-06-01T12:00:00Z');
  const check = authenticateBy({ findToken: knows({ ...RECORD, expiresAt }) });
  vi.useFakeTimers({ now: expiresAt.getTime() - 1 });
  expect(await check(`Bearer ${TOKEN}`)).toMatchObject({ id: 'tok_1', expiresAt });
  vi.setSystemTime(expiresAt);
  expect(await refusalOf(() => check(`Bearer ${TOKEN}`))).toBe('token_expired');
});

test.each([
  ['letters', 'a'.repeat(1_000_000)],
  ['spaces', ' '.repeat(1_000_000)],
  ['padding', `a${'='.repeat(1_000_000)}!`],
  ['dots', 'a.'.repeat(500_000)],
])('a huge header of %s is refused quickly, without backtracking', async (_, text) => {
  const check = authenticateBy({ findToken: knows(RECORD), verifyJwt: async () => SOMEONE });
  // A regular expression that backtracks would exceed the time limit of the test.
  expect(await refusalOf(() => check(`Bearer ${text}`))).toMatch(/^token_(malformed|invalid)$/);
});
