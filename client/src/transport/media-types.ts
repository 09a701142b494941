/** How answers say in which format they are. */

import { MEDIA_TYPES } from '../contract.ts';
import type { Parameters } from './query-string.ts';

/** The media type of an answer. */
export const mediaTypeOf = ({ headers }: Response): string =>
  headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? 'no type';

/** Whether an answer is in the format that was asked for, which a page of another server is not. */
export function isAsAsked(response: Response, { format = 'json' }: Parameters): boolean {
  const asked = Object.entries(MEDIA_TYPES).find(([name]) => name === format)?.[1];
  return asked === undefined || mediaTypeOf(response) === asked;
}
