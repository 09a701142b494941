/** Authenticates by the header `Authorization`: access tokens and JSON Web Tokens (RFC 6750, 2.1). */

import { Problem } from '../contract/problems/problems.ts';
import { hashOfToken, hasTokenPrefix, isAccessToken } from './access-token.ts';
import type { FindTokenFrom } from './invalid-token-limit.ts';
import type { Principal } from './principal.ts';
import { principalOf } from './token-record.ts';

/** The address is that of the client. */
export type Authenticate = (
  authorization: string | undefined,
  address: string,
) => Promise<Principal>;

/** Verifies a JSON Web Token of an identity provider; throws a Problem if it is not valid. */
export type VerifyJwt = (jwt: string) => Promise<Principal>;

interface TokenLookups {
  readonly findToken: FindTokenFrom;
  readonly verifyJwt?: VerifyJwt | undefined;
}

/** A header with another scheme counts as no token, so `WWW-Authenticate` has no `error` (RFC 6750, 3.1). */
const SCHEME = /^Bearer\b/i;
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** The principal of the token; throws a Problem with status 401 if there is no valid token. */
export function authenticator({ findToken, verifyJwt }: TokenLookups): Authenticate {
  return async (authorization, address) => {
    if (authorization === undefined || !SCHEME.test(authorization)) {
      throw new Problem('token_missing');
    }
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) throw new Problem('token_malformed');
    if (hasTokenPrefix(token)) {
      if (!isAccessToken(token)) throw new Problem('token_malformed');
      return principalOf(await findToken(hashOfToken(token), address), new Date());
    }
    if (verifyJwt !== undefined && JWT.test(token)) return await verifyJwt(token);
    throw new Problem('token_invalid');
  };
}
