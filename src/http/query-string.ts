/** The two parts of a request's target, as they were sent. */

import type { FastifyRequest } from 'fastify';

/** Without its `?`. */
export function queryStringOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? '';
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

/** What is before the query; with the origin, where the target has the absolute form. */
export const pathOf = ({ raw }: FastifyRequest): string => (raw.url ?? '').split('?', 1)[0] ?? '';
