/** Media types of responses, compared with the requested format. */

import { MEDIA_TYPES } from '../contract.ts';
import type { QueryParameters } from './query-string.ts';

/** The media type without its parameters. */
export const mediaTypeOf = ({ headers }: Response): string =>
  headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? 'no media type';

/** False for the HTML page of another server, for example. */
export function hasRequestedFormat(
  response: Response,
  { format = 'json' }: QueryParameters,
): boolean {
  const asked = Object.entries(MEDIA_TYPES).find(([name]) => name === format)?.[1];
  return asked === undefined || mediaTypeOf(response) === asked;
}
