/** Sign-in links: takes the code out of the address of the page, and exchanges it for a token. */

import { createClient } from '../../../client/src/index.ts';
import { codeIn } from '../../../src/contract/tokens/sign-in-address.ts';
import { serviceUrl } from '../service/service.ts';

/** Returns the code and removes it from the address, so that nobody copies it or finds it in the history. */
export function takeCode(): string | undefined {
  const code = codeIn(location.hash);
  if (code !== undefined) {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return code;
}

/** The token of the link. Throws the client's errors. */
export async function exchangeCode(code: string): Promise<string> {
  const client = createClient({ baseUrl: serviceUrl(), token: code });
  return (await client.exchangeCode()).token;
}
