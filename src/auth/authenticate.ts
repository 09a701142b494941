/** From the `Authorization` header to whoever asks (RFC 6750, section 2.1). */

import { Problem } from '../contract/problems/problems.ts';
import { hashOfToken, hasTokenPrefix, isAccessToken } from './access-token.ts';
import type { Principal } from './principal.ts';
import { type FindToken, principalOf } from './token-record.ts';

export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

/** Verifies a JSON Web Token of an identity provider; throws a Problem if it is not valid. */
export type VerifyJwt = (jwt: string) => Promise<Principal>;

interface TokenLookups {
  /** Finds the service's own tokens. */
  readonly findToken: FindToken;
  readonly verifyJwt?: VerifyJwt | undefined;
}

/** Who uses another scheme has sent no token, and is told no error (RFC 6750, section 3.1). */
const SCHEME = /^Bearer\b/i;
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Whoever the header's token speaks for; throws a Problem of status 401 for any other header. */
export function authenticator({ findToken, verifyJwt }: TokenLookups): Authenticate {
  return async (authorization) => {
    if (authorization === undefined || !SCHEME.test(authorization)) {
      throw new Problem('token_missing');
    }
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) throw new Problem('token_malformed');
    if (hasTokenPrefix(token)) {
      if (!isAccessToken(token)) throw new Problem('token_malformed');
      return principalOf(await findToken(hashOfToken(token)), new Date());
    }
    if (verifyJwt !== undefined && JWT.test(token)) return await verifyJwt(token);
    throw new Problem('token_invalid');
  };
}
