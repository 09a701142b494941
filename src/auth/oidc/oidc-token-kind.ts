/** Refuses tokens that the provider has signed but that are not bearer access tokens, such as ID tokens. */

import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { invalidToken } from './oidc-claims.ts';

/** Types of access tokens as RFC 9068 defines them (section 2.1). */
const ACCESS_TOKEN_TYPES = ['at+jwt', 'application/at+jwt'];

/** Types as RFC 7519 defines them, which providers without RFC 9068 use for tokens of every kind. */
const ANY_TOKEN_TYPES = ['jwt', 'application/jwt'];

/** Claims that only ID tokens (OpenID Connect Core 1.0, sections 2 and 3.3.2.11) or logout tokens have. */
const FOREIGN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 'events'];

/** Claims in which some providers name the kind of token, because the header says only `JWT`. */
const KIND_CLAIMS = ['typ', 'token_use'];
const ACCESS_TOKEN_KINDS = ['bearer', 'access', 'access_token', 'jwt', 'at+jwt'];

export function refuseOtherKinds({ typ = 'JWT' }: JWTHeaderParameters, claims: JWTPayload): void {
  const type = typeof typ === 'string' ? typ.toLowerCase() : '';
  if (![...ACCESS_TOKEN_TYPES, ...ANY_TOKEN_TYPES].includes(type)) {
    throw invalidToken('The header "typ" is not that of an access token.');
  }
  // The sender must prove that it has the key in this claim (RFC 7800). This service cannot check the proof.
  if (claims.cnf !== undefined) throw invalidToken('The token is bound to a key ("cnf").');
  if (!ACCESS_TOKEN_TYPES.includes(type)) refuseIdToken(claims);
}

/** Refuses an ID token by its claims, because many providers do not yet send the type at+jwt (RFC 9068, 4). */
function refuseIdToken(claims: JWTPayload): void {
  const foreign = FOREIGN_CLAIMS.find((name) => claims[name] !== undefined);
  if (foreign !== undefined)
    throw invalidToken(`The token has the claim "${foreign}", which access tokens do not have.`);
  for (const name of KIND_CLAIMS) {
    const kind = claims[name];
    if (kind === undefined) continue;
    if (typeof kind === 'string' && ACCESS_TOKEN_KINDS.includes(kind.toLowerCase())) continue;
    throw invalidToken(`The claim "${name}" is not that of an access token.`);
  }
}

/** Seconds by which the provider's clock may differ. */
export const CLOCK_TOLERANCE = 5;

/** Refuses a token whose lifetime is longer than `longest` seconds; 0 for no limit. */
export function refuseLongLifetime({ iat, exp = 0 }: JWTPayload, longest: number): void {
  const now = Math.floor(Date.now() / 1000);
  // An `iat` in the future must not shorten the lifetime, except by the difference of the clocks.
  const lifetime = exp - Math.min(now + CLOCK_TOLERANCE, iat ?? now);
  if (longest === 0 || lifetime <= longest) return;
  throw invalidToken(`The token is valid for ${lifetime} seconds, more than OIDC_MAX_LIFETIME.`);
}
