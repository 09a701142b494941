/** The headers of every answer, whatever it says; some answers say more of how long they are kept. */

import { REQUEST_ID_HEADER } from './request-id.ts';

export const addDefaultHeaders = (requestId: string): Readonly<Record<string, string>> => ({
  [REQUEST_ID_HEADER]: requestId,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
});
