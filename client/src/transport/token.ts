/** Access token in the `Authorization` header, and nowhere else. */

import { InvalidToken } from '../errors.ts';

/** A token, or a function that returns one before each request, for tokens that expire. */
export type TokenSource = string | (() => string | Promise<string>);

/** The characters of bearer tokens (RFC 6750, 2.1). */
const TOKEN = /^[\w.~+/-]+=*$/;

/** Checks the token, because an error of `fetch` about an invalid header would show the token. */
export async function authorizationOf(source: TokenSource): Promise<string> {
  const token = typeof source === 'string' ? source : await source();
  if (typeof token !== 'string' || !TOKEN.test(token)) {
    throw new InvalidToken('The token is empty or contains invalid characters.');
  }
  return `Bearer ${token}`;
}
