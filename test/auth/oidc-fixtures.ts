/** What the tests of OIDC tokens share: verifiers, claims, tokens, servers and the clock. */

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWTPayload, SignJWT } from 'jose';
import { onTestFinished, vi } from 'vitest';
import { OIDC_CLAIMS, type OidcSettings, oidcVerifier } from '../../src/auth/oidc.ts';
import { AUDIENCE, type RunningProvider, type SigningKey, startProvider } from './oidc-provider.ts';

export const ADMIN = { role: 'admin' };

export const verifierOf = (issuer: string, settings: Partial<OidcSettings> = {}) =>
  oidcVerifier({ issuer, audience: AUDIENCE, ...OIDC_CLAIMS, ...settings });

/** Claims that are accepted when a key of the issuer signs them. */
export const adminClaims = (iss: string) => ({
  iss,
  aud: AUDIENCE,
  sub: 'someone',
  exp: Math.floor(Date.now() / 1000) + 3_600,
  ...ADMIN,
});

/** A token as the provider would never issue it. */
export const forgedToken = (key: SigningKey, claims: JWTPayload, header: object = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key);

/** Moves the verifier's clock on until the test ends; the provider's stays. */
export function later(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

/** A provider until the test ends. */
export async function provided(key: SigningKey, port = 0): Promise<RunningProvider> {
  const provider = await startProvider(key, port);
  onTestFinished(provider.close);
  return provider;
}

/** The URL of a server that answers what no real provider would, until the test ends. */
export async function served(answer: RequestListener): Promise<string> {
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
