import { decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { readKeysUrl } from '../../../src/auth/oidc/oidc-keys.ts';
import { sampled } from '../../support/run/sampled.ts';
import {
  ADMIN,
  adminClaims,
  advanceClock,
  forgedToken,
  keySetOf,
  startFakeProvider,
  startTestProvider,
  verifierOf,
} from './oidc-fixtures.ts';
import { signingKey } from './oidc-provider.ts';

const [FIRST, SECOND] = await Promise.all([signingKey('first'), signingKey('second', 'ES256')]);
/** The first letters of an algorithm tell the kind of its keys. */
const kindOf = (algorithm: string) => algorithm.slice(0, 2).toUpperCase();

const INVALID = { code: 'token_invalid' };

describe("the provider's keys", () => {
  test('are fetched at the first token, once for all tokens', async () => {
    const provider = await startTestProvider(FIRST);
    const verify = verifierOf(provider.issuer);
    const token = await provider.tokenWith(ADMIN);
    expect(await provider.paths()).toEqual(['/token']);
    await Promise.all([verify(token), verify(token)]);
    await verify(token);
    const asked = ['/token', '/.well-known/openid-configuration', '/jwks'];
    expect(await provider.paths()).toEqual(asked);
  });

  test('are both accepted after a rotation, the old one and the new one', async () => {
    const provider = await startTestProvider(FIRST);
    const verify = verifierOf(provider.issuer);
    const old = await provider.tokenWith(ADMIN);
    await verify(old);
    await provider.signWith(SECOND, FIRST);
    advanceClock(31);
    const token = await provider.tokenWith(ADMIN);
    await expect(verify(token)).resolves.toMatchObject(ADMIN);
    await expect(verify(old)).resolves.toMatchObject(ADMIN);
  });

  test('are not fetched again for every token with an unknown key', async () => {
    const provider = await startTestProvider(FIRST);
    const verify = verifierOf(provider.issuer);
    const token = await forgedToken(SECOND, adminClaims(provider.issuer));
    for (let count = 0; count < 5; count += 1)
      await expect(verify(token)).rejects.toMatchObject(INVALID);
    const asked = (await provider.paths()).filter((path) => path === '/jwks');
    expect(asked).toHaveLength(1);
  });

  test('are refused ten minutes after the provider withdrew them', async () => {
    const provider = await startTestProvider(FIRST);
    const verify = verifierOf(provider.issuer);
    const token = await forgedToken(FIRST, adminClaims(provider.issuer));
    await provider.signWith(FIRST);
    await expect(verify(token)).resolves.toMatchObject(ADMIN);
    await provider.signWith(SECOND);
    advanceClock(601);
    await expect(verify(token)).rejects.toMatchObject(INVALID);
  });

  // `npm test` has one of each kind of keys.
  test.each(sampled(['RS512', 'PS256', 'ES256', 'ES512', 'EdDSA', 'Ed25519'], kindOf))(
    'may have the algorithm %s',
    async (alg) => {
      const provider = await startTestProvider(await signingKey('only', alg));
      const token = await provider.tokenWith(ADMIN);
      expect(decodeProtectedHeader(token).alg).toBe(alg);
      await expect(verifierOf(provider.issuer)(token)).resolves.toMatchObject(ADMIN);
    },
  );

  test('are found if the issuer ends with a slash', async () => {
    const base = await startFakeProvider(({ url }, response) => {
      const documents: Record<string, object> = {
        '/tenant/.well-known/openid-configuration': { issuer, jwks_uri: `${base}/keys` },
        '/keys': keySetOf(FIRST),
      };
      response.end(JSON.stringify(documents[url ?? '']));
    });
    const issuer = `${base}/tenant/`;
    const token = await forgedToken(FIRST, adminClaims(issuer));
    await expect(verifierOf(issuer)(token)).resolves.toMatchObject(ADMIN);
  });

  test('of an https issuer are fetched over https only', () => {
    const issuer = 'https://id.example';
    const read = (jwks_uri: unknown) => readKeysUrl({ issuer, jwks_uri }, issuer).href;
    expect(read('https://keys.example/keys')).toBe('https://keys.example/keys');
    expect(() => read('http://id.example/keys')).toThrow('https');
    expect(() => read('file:///etc/keys')).toThrow('https');
  });
});
