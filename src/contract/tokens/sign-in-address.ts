/**
 * The address of a sign-in link: the page, with the code in the fragment.
 *
 * Browsers do not send the fragment, so the code is in no log of a server or a proxy.
 */

const FRAGMENT = '#sign-in=';

/** The path and fragment, relative to the address of the page. */
export const signInPath = (code: string): string => `/${FRAGMENT}${code}`;

/** The code in the fragment of an address; undefined if it has none. */
export const codeIn = (fragment: string): string | undefined =>
  fragment.startsWith(FRAGMENT) ? fragment.slice(FRAGMENT.length) : undefined;
