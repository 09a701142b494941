/** Fixtures of the OIDC tests: verifiers, claims, tokens, servers and the clock. */

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWTPayload, SignJWT } from 'jose';
import { onTestFinished, vi } from 'vitest';
import { type OidcSettings, oidcVerifier } from '../../../src/auth/oidc/oidc.ts';
import { DEFAULT_CLAIM_NAMES } from '../../../src/auth/oidc/oidc-claims.ts';
import { AUDIENCE, type RunningProvider, type SigningKey, startProvider } from './oidc-provider.ts';

export const ADMIN = { role: 'admin' };

export const verifierOf = (issuer: string, settings: Partial<OidcSettings> = {}) =>
  oidcVerifier({
    issuer,
    audience: AUDIENCE,
    maxLifetime: 86_400,
    ...DEFAULT_CLAIM_NAMES,
    ...settings,
  });

/** Claims that are accepted if a key of the issuer signed them. */
export const adminClaims = (iss: string) => ({
  iss,
  aud: AUDIENCE,
  sub: 'someone',
  exp: Math.floor(Date.now() / 1000) + 3_600,
  ...ADMIN,
});

/** A token that the provider would never issue. */
export const forgedToken = (key: SigningKey, claims: JWTPayload, header: object = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key);

const realNow = performance.now.bind(performance);

/** Advances the verifier's clock, but not the provider's, until the test ends. */
export function advanceClock(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
  const ahead = performance.now() - realNow() + seconds * 1000;
  const monotonic = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ahead);
  onTestFinished(() => {
    monotonic.mockRestore();
    vi.useRealTimers();
  });
}

/** Starts a provider that runs until the test ends. */
export async function startTestProvider(key: SigningKey, port = 0): Promise<RunningProvider> {
  const provider = await startProvider(key, port);
  onTestFinished(provider.close);
  return provider;
}

/** Starts a fake provider that runs until the test ends; returns its URL. */
export async function startFakeProvider(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The key set (RFC 7517) of an RSA key. */
export const keySetOf = ({ kty, n, e, kid, alg }: SigningKey) => ({
  keys: [{ kty, n, e, kid, alg }],
});
