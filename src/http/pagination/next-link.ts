/** Link header with the URL of the next page (RFC 8288). */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { MAX_URL_LENGTH, Problem } from '../../contract/problems/problems.ts';
import { PARAMETERS } from '../../contract/query/parameters.ts';
import type { KeysetPosition } from '../../plan/keyset-position.ts';
import { publicOriginOf } from '../public-origin.ts';
import { queryStringOf } from '../query-string.ts';
import { type CursorScope, cursorOf } from './cursor.ts';

/** Links to the records after the last one of this page. */
export function linkToNext(reply: FastifyReply, last: KeysetPosition, scope: CursorScope): void {
  reply.header(
    'link',
    `<${publicOriginOf(reply.request)}${nextPath(reply, cursorOf(last, scope))}>; rel="next"`,
  );
}

/** Refuses a URL to which no cursor can be added, before its first page is sent. */
export function refuseTooLongNextUrl(reply: FastifyReply): void {
  if (nextPath(reply, ANY_CURSOR).length > MAX_URL_LENGTH) throw new Problem('uri_too_long');
}

/** All cursors have the same length. */
const ANY_CURSOR = PARAMETERS.cursor.example;

/** With the query. */
const nextPath = ({ request }: FastifyReply, cursor: string): string =>
  `${request.routeOptions.url}?${[...otherParameters(request), `cursor=${cursor}`].join('&')}`;

/** All parameters except the cursor, as the client sent them. */
const otherParameters = (request: FastifyRequest): readonly string[] =>
  queryStringOf(request)
    .split('&')
    .filter((parameter) => parameter !== '' && !new URLSearchParams(parameter).has('cursor'))
    .map((parameter) => parameter.replaceAll(INVALID_IN_QUERY, encodeURIComponent));

/** Node accepts characters that a URL must not hold (RFC 3986, 3.4), such as the `>` that ends the link. */
const INVALID_IN_QUERY = /%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi;
