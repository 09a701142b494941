/** Signing keys of an OpenID provider, found by its discovery document. */

import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { isJsonObject } from '../../contract/json-object.ts';
import { Problem } from '../../contract/problems/problems.ts';

/** Milliseconds for each request to the provider. */
const TIMEOUT = 5_000;

/** Without a final slash of the issuer (OpenID Connect Discovery 1.0, 4.1). */
const discoveryUrlOf = (issuer: string): URL =>
  new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);

/** The `jwks_uri` of a discovery document, which must name the same issuer (section 4.3). */
export function readKeysUrl(document: unknown, issuer: string): URL {
  const metadata = isJsonObject(document) ? document : {};
  if (metadata.issuer !== issuer) throw new Error('The discovery document names another issuer.');
  if (typeof metadata.jwks_uri !== 'string') throw new Error('The jwks_uri is missing.');
  const url = new URL(metadata.jwks_uri);
  // Over plain HTTP an attacker could replace the keys and sign tokens.
  if (url.protocol !== 'https:' && url.protocol !== new URL(issuer).protocol)
    throw new Error('The keys of an https issuer must be read over https.');
  return url;
}

async function discover(url: URL, issuer: string): Promise<JWTVerifyGetKey> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (response.status !== 200)
    throw new Error(`The discovery document has status ${response.status}.`);
  return createRemoteJWKSet(readKeysUrl(await response.json(), issuer), {
    timeoutDuration: TIMEOUT,
  });
}

const isTokenFault = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;

/**
 * Finds the key of a token's header. The first token starts discovery, whose result is kept. Keys
 * are cached for ten minutes, and fetched again for an unknown `kid`, at most every 30 seconds.
 * Throws the problem `identity_provider_unavailable`, or jose's error if the key is unknown.
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
      throw isTokenFault(cause) ? cause : new Problem('identity_provider_unavailable', { cause });
    }
  };
}
