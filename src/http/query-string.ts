/** The query string of a request as it was sent. */

import type { FastifyRequest } from 'fastify';

/** Without its `?`. */
export function queryStringOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? '';
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
