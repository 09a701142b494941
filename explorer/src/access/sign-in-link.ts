/** Sign-in links: takes the code out of the address of the page, and exchanges it for a token. */

import { createClient } from '../../../client/src/index.ts';
import { codeIn } from '../../../src/contract/tokens/sign-in-address.ts';
import { serviceUrl } from '../service/service.ts';
import { type ProviderResponse, takeResponse } from './provider/pending-sign-in.ts';

/** The code in the address, which has none afterwards: nobody copies it or finds it in the history. */
export function takeCode(): string | undefined {
  const code = codeIn(location.hash);
  if (code !== undefined) {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return code;
}

/** How the page was opened: by a link, or by the provider after a sign-in there. */
export interface PageStart {
  readonly code?: string | undefined;
  readonly response?: ProviderResponse | 'unasked' | undefined;
}

/** Takes what must not stay in the address. */
export const takeStart = (): PageStart => ({ code: takeCode(), response: takeResponse() });

/** The token of the link. Throws the client's errors. */
export async function exchangeCode(code: string): Promise<string> {
  const client = createClient({ baseUrl: serviceUrl(), token: code });
  return (await client.exchangeCode()).token;
}
