/** Headers of every response; a route may replace `Cache-Control`. */

import { REQUEST_ID_HEADER } from './request-id.ts';

export const defaultHeaders = (requestId: string): Readonly<Record<string, string>> => ({
  [REQUEST_ID_HEADER]: requestId,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
});
