/** Invalid authorizations, and the expected refusal of each. */

import { newAccessToken } from '../../../src/auth/access-token.ts';

/** Three tokens of one role, and a token of the other role. */
export interface TokensOfRole {
  readonly good: string;
  readonly revoked: string;
  readonly expired: string;
  readonly ofOtherRole: string;
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** The error code of RFC 6750; absent if no token was sent. */
  readonly error?: string;
}

export const MISSING: Refusal = { status: 401, code: 'token_missing' };
const MALFORMED: Refusal = { status: 401, code: 'token_malformed', error: 'invalid_token' };
const INVALID: Refusal = { status: 401, code: 'token_invalid', error: 'invalid_token' };
const REVOKED: Refusal = { ...INVALID, code: 'token_revoked' };
const EXPIRED: Refusal = { ...INVALID, code: 'token_expired' };
const WRONG_ROLE: Refusal = { status: 403, code: 'wrong_role', error: 'insufficient_scope' };

export interface BadAuthorization {
  readonly name: string;
  readonly headers: (tokens: TokensOfRole) => readonly string[];
  readonly refusal: Refusal;
}

const bearer = (text: string): string => `Authorization: Bearer ${text}`;

const mistyped = (token: string): string =>
  token.slice(0, 10) + (token[10] === 'x' ? 'y' : 'x') + token.slice(11);

const unsignedJwt = (): string =>
  `${['{"alg":"none"}', '{"role":"admin","sub":"me"}'].map((part) => Buffer.from(part).toString('base64url')).join('.')}.`;

// biome-ignore format: one a line
export const BAD_AUTHORIZATIONS: readonly BadAuthorization[] = [
  { name: 'no header', headers: () => [], refusal: MISSING },
  { name: 'an empty header', headers: () => ['Authorization:'], refusal: MISSING },
  { name: 'the scheme alone', headers: () => ['Authorization: Bearer'], refusal: MALFORMED },
  { name: 'the token alone', headers: ({ good }) => [`Authorization: ${good}`], refusal: MISSING },
  { name: 'the scheme Basic', headers: ({ good }) => [`Authorization: Basic ${btoa(`me:${good}`)}`], refusal: MISSING },
  { name: 'the scheme Token', headers: ({ good }) => [`Authorization: Token ${good}`], refusal: MISSING },
  { name: 'no space after the scheme', headers: ({ good }) => [`Authorization: Bearer${good}`], refusal: MISSING },
  { name: 'a tab after the scheme', headers: ({ good }) => [`Authorization: Bearer\t${good}`], refusal: MALFORMED },
  { name: 'the token in quotes', headers: ({ good }) => [bearer(`"${good}"`)], refusal: MALFORMED },
  { name: 'two tokens', headers: ({ good }) => [bearer(`${good} ${good}`)], refusal: MALFORMED },
  { name: 'tokens in a list', headers: ({ good, ofOtherRole }) => [bearer(`${ofOtherRole}, Bearer ${good}`)], refusal: MALFORMED },
  { name: 'the header twice', headers: ({ good }) => [bearer(good), bearer(good)], refusal: MALFORMED },
  { name: 'a second header of the other role', headers: ({ good, ofOtherRole }) => [bearer(good), bearer(ofOtherRole)], refusal: MALFORMED },
  { name: 'a first header of the other role', headers: ({ good, ofOtherRole }) => [bearer(ofOtherRole), bearer(good)], refusal: MALFORMED },
  { name: 'a truncated token', headers: ({ good }) => [bearer(good.slice(0, -1))], refusal: MALFORMED },
  { name: 'a token with an extra character', headers: ({ good }) => [bearer(`${good}a`)], refusal: MALFORMED },
  { name: 'a mistyped token', headers: ({ good }) => [bearer(mistyped(good))], refusal: MALFORMED },
  { name: 'a token in upper case', headers: ({ good }) => [bearer(good.toUpperCase())], refusal: INVALID },
  { name: 'an unknown token', headers: () => [bearer(newAccessToken())], refusal: INVALID },
  { name: 'another text', headers: () => [bearer('admin')], refusal: INVALID },
  { name: 'a JSON Web Token without a signature', headers: () => [bearer(unsignedJwt())], refusal: INVALID },
  { name: 'a text like the hash of a token', headers: () => [bearer('a'.repeat(64))], refusal: INVALID },
  { name: 'a revoked token', headers: ({ revoked }) => [bearer(revoked)], refusal: REVOKED },
  { name: 'an expired token', headers: ({ expired }) => [bearer(expired)], refusal: EXPIRED },
  { name: 'a token of the other role', headers: ({ ofOtherRole }) => [bearer(ofOtherRole)], refusal: WRONG_ROLE },
  { name: 'the token in a cookie', headers: ({ good }) => [`Cookie: authorization=Bearer ${good}; token=${good}`], refusal: MISSING },
  { name: 'the token in other headers', headers: ({ good }) => [`X-Access-Token: ${good}`, `X-Authorization: Bearer ${good}`, `Proxy-Authorization: Bearer ${good}`], refusal: MISSING },
];
