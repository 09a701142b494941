/** Path and query string of a request, undecoded. */

import type { FastifyRequest } from 'fastify';

/** Without the `?`. */
export function queryStringOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? '';
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

/** Includes the origin if the request target is a whole URL. */
export const pathOf = ({ raw }: FastifyRequest): string => (raw.url ?? '').split('?', 1)[0] ?? '';
