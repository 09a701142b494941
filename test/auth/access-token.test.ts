import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  couldContainToken,
  hashOfToken,
  hasTokenPrefix,
  isAccessToken,
  newAccessToken,
  newSignInCode,
  randomText,
} from '../../src/auth/access-token.ts';
import { fc, runCount } from '../support/run/properties.ts';

/** A token without its checksum. A test below appends the checksum, which is the CRC-32 of this text in base 62. */
const KNOWN = 'trx_00000000000000000000000000000000';

const token = fc.constant(0).map(newAccessToken);

test('a token is trx_ and 38 letters and digits', () => {
  expect(newAccessToken()).toMatch(/^trx_[0-9A-Za-z]{38}$/);
});

test('every new token is accepted', () => {
  for (let made = 0; made < 200; made += 1) expect(isAccessToken(newAccessToken())).toBe(true);
});

test('no two tokens are the same', () => {
  const tokens = Array.from({ length: 1000 }, newAccessToken);
  expect(new Set(tokens).size).toBe(tokens.length);
});

test('the random part uses all 62 characters about equally', () => {
  const counts = new Map<string, number>();
  for (const character of randomText(62_000)) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  // 1000 each are expected; seven standard deviations occur once in billions of runs.
  for (const count of counts.values())
    expect(Math.abs(count - 1000)).toBeLessThan(7 * Math.sqrt(1000));
});

test('the checksum of existing tokens never changes, so they stay valid', () => {
  expect(isAccessToken(`${KNOWN}3I8y89`)).toBe(true);
});

test('a token with any one character changed is refused', () => {
  fc.assert(
    fc.property(
      token,
      fc.nat({ max: 41 }),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
      (good, at, character) => {
        const changed = good.slice(0, at) + character + good.slice(at + 1);
        expect(isAccessToken(changed)).toBe(changed === good);
      },
    ),
    { numRuns: runCount(2000) },
  );
});

test('a token with two adjacent characters swapped is refused', () => {
  fc.assert(
    fc.property(token, fc.nat({ max: 40 }), (good, at) => {
      const swapped = good.slice(0, at) + good[at + 1] + good[at] + good.slice(at + 2);
      expect(isAccessToken(swapped)).toBe(swapped === good);
    }),
  );
});

test('a truncated token, or one with other text around it, is refused', () => {
  const good = newAccessToken();
  for (let length = 0; length < good.length; length += 1) {
    expect(isAccessToken(good.slice(0, length))).toBe(false);
  }
  for (const around of [`${good} `, ` ${good}`, `${good}\n`, `${good}0`, `${good}${good}`]) {
    expect(isAccessToken(around)).toBe(false);
  }
});

test('the check never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(isAccessToken(`trx_${text}`)).toBe(false);
    }),
  );
});

test('a token is stored as the hexadecimal SHA-256 of its text', () => {
  expect(hashOfToken('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  const made = newAccessToken();
  expect(hashOfToken(made)).toBe(createHash('sha256').update(made, 'utf8').digest('hex'));
});

test.each([
  ['token', newAccessToken],
  ['code', newSignInCode],
] as const)('a text with a %s, or with its beginning, may hold a secret', (_, make) => {
  const secret = make();
  for (const text of [secret, `a-${secret}`, secret.slice(0, 9)])
    expect(couldContainToken(text)).toBe(true);
  expect(couldContainToken(secret.slice(4))).toBe(false);
});

test.each([
  ['trx_', true],
  ['trx_x', true],
  ['TRX_x', false],
  ['trx', false],
  ['eyJhbGciOiJSUzI1NiJ9', false],
])('whether %s has the prefix of a token is %s', (text, isOne) => {
  expect(hasTokenPrefix(text)).toBe(isOne);
});
