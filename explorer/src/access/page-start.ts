/** How the page was opened, and what is taken out of its address because of that. */

import { type ProviderResponse, takeResponse } from './provider/pending-sign-in.ts';
import { takeCode } from './sign-in-link.ts';

/** How the page was opened: by a link, or by the provider after a sign-in there. */
export interface PageStart {
  readonly code?: string | undefined;
  readonly response?: ProviderResponse | 'unasked' | undefined;
}

/** Takes what must not stay in the address. */
export const takeStart = (): PageStart => ({ code: takeCode(), response: takeResponse() });
