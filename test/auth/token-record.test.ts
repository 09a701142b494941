import { expect, test } from 'vitest';
import { mayRead } from '../../src/auth/principal.ts';
import { principalOf, type TokenRecord } from '../../src/auth/token-record.ts';
import { RECORD, refusalOf } from './token-fixtures.ts';

const NOW = new Date('2026-06-01T12:00:00Z');

const at = (milliseconds: number): Date => new Date(NOW.getTime() + milliseconds);

const refusalFor = (changed: Partial<TokenRecord>) =>
  refusalOf(() => principalOf({ ...RECORD, ...changed }, NOW));

test('an affiliate’s token grants access to its websites, in all programs', () => {
  expect(principalOf(RECORD, NOW)).toStrictEqual({
    id: 'tok_1',
    name: 'A partner',
    role: 'affiliate',
    publisherIds: [7, 9],
    programIds: 'all',
  });
});

test('an admin’s token grants access to all publishers', () => {
  const principal = principalOf({ ...RECORD, role: 'admin', publisherIds: [] }, NOW);
  expect(principal).toMatchObject({ role: 'admin', publisherIds: 'all', programIds: 'all' });
});

test('an affiliate’s token without websites grants access to none, not to all', () => {
  expect(principalOf({ ...RECORD, publisherIds: [] }, NOW).publisherIds).toEqual([]);
});

test('a token that is limited to programs grants access to those', () => {
  expect(principalOf({ ...RECORD, programIds: [1, 2] }, NOW).programIds).toEqual([1, 2]);
});

test('the principal has the language and the expiry of the token', () => {
  const expiresAt = at(1);
  expect(principalOf({ ...RECORD, locale: 'nl', expiresAt }, NOW)).toMatchObject({
    locale: 'nl',
    expiresAt,
  });
});

test('the token’s hash is not passed on', () => {
  expect(Object.keys(principalOf(RECORD, NOW)).sort()).toEqual([
    'id',
    'name',
    'programIds',
    'publisherIds',
    'role',
  ]);
});

test('a token without a record is refused', async () => {
  expect(await refusalOf(() => principalOf(undefined, NOW))).toBe('token_invalid');
});

test('a token is valid until the millisecond before it expires', async () => {
  expect(principalOf({ ...RECORD, expiresAt: at(1) }, NOW).id).toBe('tok_1');
  expect(await refusalFor({ expiresAt: at(0) })).toBe('token_expired');
  expect(await refusalFor({ expiresAt: at(-1) })).toBe('token_expired');
});

test('a token without an expiry never expires', () => {
  const principal = principalOf(RECORD, new Date('9999-12-31'));
  expect(principal.expiresAt).toBeUndefined();
});

test('a revoked token is refused, even if the time of its revocation is in the future', async () => {
  expect(await refusalFor({ revokedAt: at(-1) })).toBe('token_revoked');
  expect(await refusalFor({ revokedAt: at(60_000) })).toBe('token_revoked');
  expect(await refusalFor({ revokedAt: at(-1), expiresAt: at(-2) })).toBe('token_revoked');
});

test('a scope contains the listed identifiers, or all of them', () => {
  expect(mayRead('all', 8)).toBe(true);
  expect(mayRead([7, 9], 9)).toBe(true);
  expect(mayRead([7, 9], 8)).toBe(false);
  expect(mayRead([], 0)).toBe(false);
});
