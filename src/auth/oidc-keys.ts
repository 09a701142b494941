/** The signing keys of an OpenID provider, found through its discovery document. */

import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { Problem } from '../contract/problems/problems.ts';

/** Milliseconds for each request to the provider, to the end of its answer. */
const TIMEOUT = 5_000;

/** Section 4.1 of OpenID Connect Discovery 1.0: a terminating slash is removed. */
const discoveryUrlOf = (issuer: string): URL =>
  new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);

/** The `jwks_uri` of a discovery document, which must be the issuer's own (section 4.3). */
export function readKeysUrl(document: unknown, issuer: string): URL {
  const metadata: { readonly issuer?: unknown; readonly jwks_uri?: unknown } = Object(document);
  if (metadata.issuer !== issuer) throw new Error('The discovery document is of another issuer.');
  if (typeof metadata.jwks_uri !== 'string') throw new Error('The jwks_uri is missing.');
  const url = new URL(metadata.jwks_uri);
  // Whoever could alter the keys on their way could sign tokens.
  if (url.protocol !== 'https:' && url.protocol !== new URL(issuer).protocol)
    throw new Error('The keys of an https issuer must be read by https.');
  return url;
}

async function discover(url: URL, issuer: string): Promise<JWTVerifyGetKey> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (response.status !== 200) throw new Error(`Discovery answers ${response.status}.`);
  return createRemoteJWKSet(readKeysUrl(await response.json(), issuer), {
    timeoutDuration: TIMEOUT,
  });
}

const isFaultOfToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;

/**
 * The key for a token's header. Discovery happens at the first token and is kept once it succeeded;
 * keys are kept for ten minutes, and fetched anew for an unknown `kid`, at most every 30 seconds.
 * Throws the problem `identity_provider_unavailable`, or jose's error when the key is unknown.
 */
export function providerKeys(issuer: string): JWTVerifyGetKey {
  const url = discoveryUrlOf(issuer);
  let discovery: Promise<JWTVerifyGetKey> | undefined;

  function discovered(): Promise<JWTVerifyGetKey> {
    if (discovery !== undefined) return discovery;
    discovery = discover(url, issuer);
    discovery.catch(() => {
      discovery = undefined;
    });
    return discovery;
  }

  return async (header, token) => {
    try {
      const keyFor = await discovered();
      return await keyFor(header, token);
    } catch (cause) {
      throw isFaultOfToken(cause) ? cause : new Problem('identity_provider_unavailable', { cause });
    }
  };
}
