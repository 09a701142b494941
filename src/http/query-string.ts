/** Path and query string of a request. */

import type { FastifyRequest } from 'fastify';

/** Without the `?`, undecoded. */
export function queryStringOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? '';
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

/** As routes are matched: without the origin of a whole URL, and with unreserved characters decoded. */
export function pathOf({ raw }: FastifyRequest): string {
  const [target = ''] = (raw.url ?? '').split('?', 1);
  const path = target.replace(/^https?:\/\/[^/]*/i, '') || '/';
  return path.replaceAll(/%[2-7][\da-f]/gi, (code) => {
    const character = decodeURIComponent(code);
    return /[\w.~-]/.test(character) ? character : code;
  });
}
