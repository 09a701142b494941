/** Verifies the JWT access tokens of an OpenID provider. */

import { errors, type JWTHeaderParameters, type JWTVerifyOptions, jwtVerify } from 'jose';
import { Problem } from '../contract/problems/problems.ts';
import { type ClaimNames, readPrincipal, refusedToken } from './oidc-claims.ts';
import { providerKeys } from './oidc-keys.ts';
import type { Principal } from './principal.ts';

export interface OidcSettings extends ClaimNames {
  /** OIDC_ISSUER: the URL that the provider's tokens and its discovery document name. */
  readonly issuer: string;
  /** OIDC_AUDIENCE: this service, in the provider's terms. */
  readonly audience: string;
}

export const OIDC_CLAIMS: ClaimNames = {
  roleClaim: 'role',
  publishersClaim: 'publisher_ids',
  programsClaim: 'program_ids',
};

/** Only asymmetric ones: with HS*, whoever reads the public key could sign (RFC 8725, section 2.1). */
// biome-ignore format: one family a line
const ALGORITHMS = [
  'RS256', 'RS384', 'RS512',
  'PS256', 'PS384', 'PS512',
  'ES256', 'ES384', 'ES512',
  'EdDSA', 'Ed25519',
];

/** Access tokens by RFC 9068, and those of providers that know RFC 7519 only. */
const TYPES = ['at+jwt', 'application/at+jwt', 'jwt', 'application/jwt'];

/** Characters, which in a header are bytes. */
const MAX_LENGTH = 8_192;

/** Seconds. */
const CLOCK_TOLERANCE = 5;

function checkType({ typ = 'JWT' }: JWTHeaderParameters): void {
  // The provider signs other things with the same key, such as logout tokens.
  if (typeof typ !== 'string' || !TYPES.includes(typ.toLowerCase()))
    throw refusedToken('The header "typ" is not of an access token.');
}

/** What jose found; its own message and cause are left out, for they may quote the token. */
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
 * Verifies JWT access tokens (RFC 9068, RFC 7519) of the provider, whom it first asks at the first
 * token that could be one. Throws a TypeError when the issuer is no URL. The verifier throws the
 * problems `token_expired`, `token_invalid` and `identity_provider_unavailable`. `expiresAt` is the
 * token's `exp`: up to five seconds ago.
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
    if (jwt.length > MAX_LENGTH) throw refusedToken('The token is longer than 8 KiB.');
    try {
      const { payload, protectedHeader } = await jwtVerify(jwt, keys, options);
      checkType(protectedHeader);
      return readPrincipal(payload, settings);
    } catch (error) {
      throw problemOf(error);
    }
  };
}
