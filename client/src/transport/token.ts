/** The access token, which goes into one header and nowhere else. */

/** A token, or what gives one before each request, for tokens that are renewed. */
export type TokenSource = string | (() => string | Promise<string>);

/** Of bearer tokens (RFC 6750, 2.1). */
const TOKEN = /^[\w.~+/-]+=*$/;

/** The value of the header; an error of `fetch` about a wrong one would show it. */
export async function bearerOf(source: TokenSource): Promise<string> {
  const token = typeof source === 'string' ? source : await source();
  if (typeof token !== 'string' || !TOKEN.test(token)) {
    throw new TypeError(
      'The token is none: it is empty, or holds characters that tokens never have.',
    );
  }
  return `Bearer ${token}`;
}
