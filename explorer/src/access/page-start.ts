/** Reads from the address how the page was opened, and removes the secrets from it. */

import { type ProviderResponse, takeResponse } from './provider/pending-sign-in.ts';
import { takeCode } from './sign-in-link.ts';

/** How the page was opened: by a link, or by the provider after a sign-in there. */
export interface PageStart {
  readonly code?: string | undefined;
  readonly response?: ProviderResponse | 'unasked' | undefined;
}

/** Removes the code of a link and the response of the provider from the address, and returns them. */
export const takeStart = (): PageStart => ({ code: takeCode(), response: takeResponse() });
