/** Signing keys of an OpenID provider, found through its discovery document. */

import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { Problem } from '../../contract/problems/problems.ts';
import { addressIn, discover, PAUSE, readMetadata, TIMEOUT } from './discovery.ts';

/** The `jwks_uri` of a discovery document. */
export const readKeysUrl = (document: unknown, issuer: string): URL =>
  addressIn(readMetadata(document, issuer), 'jwks_uri', issuer);

const discoverKeys = async (issuer: string, timeout: number): Promise<JWTVerifyGetKey> =>
  createRemoteJWKSet(readKeysUrl(await discover(issuer, timeout), issuer), {
    timeoutDuration: timeout,
  });

const isTokenFault = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;

/**
 * Finds the key that a token's header names (`kid`). The first token starts discovery; its result is kept, a failure
 * for some seconds.
 * Keys are cached for ten minutes. They are fetched again for an unknown `kid`, at most every 30 seconds.
 * `timeout` is in milliseconds, for each request.
 * Throws the problem `identity_provider_unavailable`, or jose's error if the key is unknown.
 */
export function providerKeys(issuer: string, timeout = TIMEOUT): JWTVerifyGetKey {
  let discovery: Promise<JWTVerifyGetKey> | undefined;
  /** When the discovery failed. */
  let failedAt = Number.POSITIVE_INFINITY;

  function discovered(): Promise<JWTVerifyGetKey> {
    if (discovery !== undefined && performance.now() < failedAt + PAUSE) return discovery;
    failedAt = Number.POSITIVE_INFINITY;
    discovery = discoverKeys(issuer, timeout);
    discovery.catch(() => {
      failedAt = performance.now();
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
