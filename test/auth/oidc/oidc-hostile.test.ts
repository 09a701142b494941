import { inspect } from 'node:util';
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fc, runCount } from '../../support/run/properties.ts';
import {
  adminClaims,
  forgedToken,
  keySetOf,
  startFakeProvider,
  verifierOf,
} from './oidc-fixtures.ts';
import { AUDIENCE, type RunningProvider, signingKey, startProvider } from './oidc-provider.ts';

const KEY = await signingKey('first');

let provider: RunningProvider;

beforeAll(async () => {
  provider = await startProvider(KEY);
});
afterAll(() => provider.close());

const encoded = (text: string) => Buffer.from(text).toString('base64url');

const refused = (token: string) =>
  expect(verifierOf(provider.issuer)(token)).rejects.toMatchObject({ code: 'token_invalid' });

test('an unsigned token is refused', async () => {
  const unsigned = new UnsecuredJWT(adminClaims(provider.issuer)).encode();
  await refused(unsigned);
  const [, payload] = unsigned.split('.');
  await refused(`${encoded(JSON.stringify({ alg: 'none', kid: KEY.kid }))}.${payload}.`);
});

test.each(['HS256', 'HS384', 'HS512'])(
  'a token signed by %s with the public key is refused',
  async (alg) => {
    const keys = await fetch(`${provider.issuer}/jwks`).then((answer) => answer.text());
    const publicKey = await importJWK({ kty: 'RSA', n: KEY.n ?? '', e: KEY.e ?? '' }, 'RS256');
    if (publicKey instanceof Uint8Array) throw new Error('The key is symmetric.');
    for (const secret of [await exportSPKI(publicKey), keys, KEY.n ?? '']) {
      const token = new SignJWT(adminClaims(provider.issuer)).setProtectedHeader({
        alg,
        kid: KEY.kid,
      });
      await refused(await token.sign(new TextEncoder().encode(secret)));
    }
  },
);

test('a key inside a token, or at a URL in it, is not used, and the URL is not requested', async () => {
  const own = await signingKey(KEY.kid);
  const fetched: string[] = [];
  const url = await startFakeProvider(({ url: path = '' }, response) => {
    fetched.push(path);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(keySetOf(own)));
  });
  const [jwk] = keySetOf(own).keys;
  const brought = [{ jwk }, { jku: `${url}/jwks` }, { x5u: `${url}/chain` }, { x5c: [own.n] }];
  for (const header of [...brought, { jwk, jku: `${url}/jwks`, x5u: url, kid: 'own' }]) {
    await refused(await forgedToken(own, adminClaims(provider.issuer), header));
  }
  expect(fetched).toEqual([]);
});

test.each([
  '../../../dev/null',
  "first' OR '1'='1",
  'https://attacker.example/key',
  '__proto__',
  '',
])('the key id %j finds no key', async (kid) => {
  await refused(await forgedToken(KEY, adminClaims(provider.issuer), { kid }));
});

test('a text that is not a token is refused without a request to the provider', async () => {
  const verify = verifierOf(provider.issuer);
  const before = await provider.paths();
  const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.base64String());
  const parts = fc.array(texts, { minLength: 1, maxLength: 5 });
  const tokens = fc.oneof(
    parts.map((some) => some.join('.')),
    fc.jsonValue().map((header) => `${encoded(JSON.stringify(header))}.e30.`),
  );
  await fc.assert(
    fc.asyncProperty(tokens, async (token) => {
      await expect(verify(token)).rejects.toMatchObject({ code: 'token_invalid' });
    }),
    { numRuns: runCount(100) },
  );
  expect(await provider.paths()).toEqual(before);
});

test('a token of more than 8 KiB is refused without a request to the provider', async () => {
  const padded = (length: number) =>
    forgedToken(KEY, { ...adminClaims(provider.issuer), padding: 'x'.repeat(length) });
  const before = await provider.paths();
  await refused(await padded(6_000));
  await refused('x'.repeat(50_000_000));
  expect(await provider.paths()).toEqual(before);
  const token = await padded(5_000);
  await expect(verifierOf(provider.issuer)(token)).resolves.toMatchObject({ role: 'admin' });
});

test('the problem contains no part of the token', async () => {
  const secret = { ...adminClaims(provider.issuer), aud: 'SECRET', sub: 'SECRET', SECRET: 1 };
  const tokens = [
    await forgedToken(KEY, secret),
    await forgedToken(KEY, { ...secret, aud: AUDIENCE, exp: 1 }),
    `${encoded('{"SECRET"')}.e30.e30`,
    `${encoded('{"alg":"RS256","crit":["SECRET"],"SECRET":1}')}.e30.e30`,
  ];
  for (const token of tokens) {
    const problem = await verifierOf(provider.issuer)(token).catch((error: unknown) => error);
    const text = inspect(problem, { depth: null, showHidden: true });
    expect(text).toContain('[cause]');
    expect(text).not.toMatch(/SECRET|eyJ/);
  }
});

test('a token with deeply nested header or claims is refused', async () => {
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  await refused(`${encoded(`{"alg":"RS256","deep":${deep(2500)}}`)}.e30.e30`);
  const claims = { ...adminClaims(provider.issuer), role: JSON.parse(deep(2000)) };
  await refused(await forgedToken(KEY, claims));
});
