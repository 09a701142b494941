import { describe, expect, test } from 'vitest';
import { TIMEOUT } from '../../../src/auth/oidc/discovery.ts';
import { providerKeys } from '../../../src/auth/oidc/oidc-keys.ts';
import { fullOrShort, withinMs } from '../../support/run/test-extent.ts';
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
const UNAVAILABLE = { code: 'identity_provider_unavailable' };
const INVALID = { code: 'token_invalid' };

type Answers = Readonly<Record<string, readonly [status: number, text: string]>>;

const DISCOVERY = '/.well-known/openid-configuration';
const GOOD_DISCOVERY = '{"issuer":"ISSUER","jwks_uri":"ISSUER/keys"}';
const FOREIGN = '{"issuer":"https://other.example","jwks_uri":"ISSUER/keys"}';
const KEYLESS = '{"issuer":"ISSUER"}';
const RELATIVE = '{"issuer":"ISSUER","jwks_uri":"/keys"}';

/** The response of a server at each path; ISSUER stands for its own address. */
const GOOD: Answers = {
  [DISCOVERY]: [200, GOOD_DISCOVERY],
  '/moved': [200, GOOD_DISCOVERY],
  '/keys': [200, JSON.stringify(keySetOf(FIRST))],
};

describe('a provider that is down', () => {
  test('gives 503 until it is up again, even with another key', async () => {
    const provider = await startTestProvider(FIRST);
    const verify = verifierOf(provider.issuer);
    const old = await provider.tokenWith(ADMIN);
    await provider.close();
    await expect(verify(old)).rejects.toMatchObject(UNAVAILABLE);
    await expect(verify(old)).rejects.toMatchObject(UNAVAILABLE);
    const again = await startTestProvider(SECOND, Number(new URL(provider.issuer).port));
    advanceClock(6);
    await expect(verify(await again.tokenWith(ADMIN))).resolves.toMatchObject(ADMIN);
    await expect(verify(old)).rejects.toMatchObject(INVALID);
  });

  test('is asked once in five seconds, however many tokens there are', async () => {
    let requests = 0;
    const issuer = await startFakeProvider((_, response) => {
      requests += 1;
      response.writeHead(503).end();
    });
    const verify = verifierOf(issuer);
    const token = await forgedToken(FIRST, adminClaims(issuer));
    for (let sent = 0; sent < 3; sent += 1) {
      await expect(verify(token)).rejects.toMatchObject(UNAVAILABLE);
    }
    expect(requests).toBe(1);
    advanceClock(6);
    await expect(verify(token)).rejects.toMatchObject(UNAVAILABLE);
    expect(requests).toBe(2);
  });

  test('does not affect tokens whose key is cached', async () => {
    const provider = await startTestProvider(FIRST);
    const verify = verifierOf(provider.issuer);
    const token = await provider.tokenWith(ADMIN);
    await verify(token);
    await provider.close();
    advanceClock(31);
    await expect(verify(token)).resolves.toMatchObject(ADMIN);
    const unknown = await forgedToken(SECOND, adminClaims(provider.issuer));
    await expect(verify(unknown)).rejects.toMatchObject(UNAVAILABLE);
  });

  test('does not delay the refusal of an unsigned token', async () => {
    const provider = await startTestProvider(FIRST);
    await provider.close();
    const header = btoa('{"alg":"none"}').replace(/=+$/, '');
    await expect(verifierOf(provider.issuer)(`${header}.e30.`)).rejects.toMatchObject(INVALID);
  });

  test.each([
    ['discovery fails', { [DISCOVERY]: [500, GOOD_DISCOVERY] }],
    ['discovery is moved', { [DISCOVERY]: [302, ''] }],
    ['discovery is no JSON', { [DISCOVERY]: [200, '<html>'] }],
    ['discovery is null', { [DISCOVERY]: [200, 'null'] }],
    ['discovery is of another issuer', { [DISCOVERY]: [200, FOREIGN] }],
    ['discovery names no keys', { [DISCOVERY]: [200, KEYLESS] }],
    ['discovery names the keys wrongly', { [DISCOVERY]: [200, RELATIVE] }],
    ['the keys fail', { '/keys': [503, JSON.stringify(keySetOf(FIRST))] }],
    ['the keys are no JSON', { '/keys': [200, 'keys'] }],
    ['the keys are no key set', { '/keys': [200, '{"keys":{}}'] }],
    ['the key is broken', { '/keys': [200, '{"keys":[{"kty":"RSA","kid":"first","n":"AQAB"}]}'] }],
  ] as [string, Answers][])('gives 503 if %s, and is asked again', async (_what, fault) => {
    let answers: Answers = { ...GOOD, ...fault };
    const issuer = await startFakeProvider(({ url = '' }, response) => {
      const [status, text] = answers[url] ?? [404, ''];
      response.writeHead(status, { location: '/moved' }).end(text.replaceAll('ISSUER', issuer));
    });
    const verify = verifierOf(issuer);
    const token = await forgedToken(FIRST, adminClaims(issuer));
    await expect(verify(token)).rejects.toMatchObject(UNAVAILABLE);
    answers = GOOD;
    advanceClock(601);
    await expect(verify(token)).resolves.toMatchObject(ADMIN);
  });

  test('times out after five seconds', { timeout: withinMs(10_000) }, async () => {
    expect(TIMEOUT).toBe(5000);
    // `npm test` waits only half a second.
    const timeout = fullOrShort(TIMEOUT, 500);
    const issuer = await startFakeProvider(() => {});
    const start = performance.now();
    const finding = providerKeys(issuer, timeout)({ alg: 'RS256' }, { payload: '', signature: '' });
    await expect(finding).rejects.toMatchObject(UNAVAILABLE);
    expect(performance.now() - start).toBeGreaterThan(0.9 * timeout);
    expect(performance.now() - start).toBeLessThan(withinMs(timeout + 2000));
  });
});
