/** Verifies the JWT access tokens of an OpenID provider. */

import { errors, type JWTVerifyOptions, jwtVerify } from 'jose';
import { Problem } from '../../contract/problems/problems.ts';
import type { Principal } from '../principal.ts';
import { type ClaimNames, invalidToken, readPrincipal } from './oidc-claims.ts';
import { providerKeys } from './oidc-keys.ts';
import { CLOCK_TOLERANCE, refuseLongLifetime, refuseOtherKinds } from './oidc-token-kind.ts';

export interface OidcSettings extends ClaimNames {
  /** The issuer URL in tokens and in the discovery document. */
  readonly issuer: string;
  /** The name of this service at the provider. */
  readonly audience: string;
  /** The longest lifetime of a token in seconds; 0 for no limit. */
  readonly maxLifetime: number;
}

/** Only asymmetric algorithms: with HS*, anyone who has the public key could sign (RFC 8725, 2.1). */
// biome-ignore format: one family a line
const ALGORITHMS = [
  'RS256', 'RS384', 'RS512',
  'PS256', 'PS384', 'PS512',
  'ES256', 'ES384', 'ES512',
  'EdDSA', 'Ed25519',
];

/** The maximum length of a token in bytes. In a header, each character is one byte. */
const MAX_LENGTH = 8_192;

/** Why a token was refused, without jose's message and cause, which may quote the token. */
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
    return `The claim "${error.claim}" is not accepted (${error.reason}).`;
  return `The token is not accepted (${error.code}).`;
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = error instanceof errors.JWTExpired ? 'token_expired' : 'token_invalid';
  const cause = error instanceof errors.JOSEError ? new Error(reasonOf(error)) : error;
  return new Problem(code, { cause });
}

/**
 * Verifies JWT access tokens (RFC 9068, RFC 7519); throws a TypeError if the issuer is not a URL.
 * The verifier throws the problems `token_expired`, `token_invalid` and
 * `identity_provider_unavailable`. A token is accepted until five seconds after `expiresAt`.
 */
export function oidcVerifier(settings: OidcSettings): (jwt: string) => Promise<Principal> {
  const keys = providerKeys(settings.issuer);
  const options: JWTVerifyOptions = {
    algorithms: ALGORITHMS,
    issuer: settings.issuer,
    audience: settings.audience,
    requiredClaims: ['exp'],
    clockTolerance: CLOCK_TOLERANCE,
  };

  return async (jwt) => {
    if (jwt.length > MAX_LENGTH) throw invalidToken('The token is longer than 8 KiB.');
    try {
      const { payload, protectedHeader } = await jwtVerify(jwt, keys, options);
      refuseOtherKinds(protectedHeader, payload);
      refuseLongLifetime(payload, settings.maxLifetime);
      return readPrincipal(payload, settings);
    } catch (error) {
      throw problemOf(error);
    }
  };
}
