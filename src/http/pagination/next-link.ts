/** The link from one page to the next (RFC 8288). */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { MAX_URL_LENGTH, Problem } from '../../contract/problems/problems.ts';
import { PARAMETERS } from '../../contract/query/parameters.ts';
import type { KeysetPosition } from '../../plan/keyset-position.ts';
import { queryStringOf } from '../query-string.ts';
import { type CursorSeal, cursorOf } from './cursor.ts';

/** Says where the answer goes on, after the last record of the page. */
export function linkToNext(reply: FastifyReply, last: KeysetPosition, seal: CursorSeal): void {
  reply.header('link', `<${nextUrl(reply, cursorOf(last, seal))}>; rel="next"`);
}

/** Refuses a question that leaves no room for the cursor, before its first page goes out. */
export function refuseWithoutDiskSpace(reply: FastifyReply): void {
  if (nextUrl(reply, ANY_CURSOR).length > MAX_URL_LENGTH) throw new Problem('uri_too_long');
}

const ANY_CURSOR = PARAMETERS.cursor.example;

/** From the root of the host, as whoever asked knows it by another name than the service. */
const nextUrl = ({ request }: FastifyReply, cursor: string): string =>
  `${request.routeOptions.url}?${[...otherParameters(request), `cursor=${cursor}`].join('&')}`;

/** All but the cursor, as they were sent. */
const otherParameters = (request: FastifyRequest): readonly string[] =>
  queryStringOf(request)
    .split('&')
    .filter((parameter) => parameter !== '' && !new URLSearchParams(parameter).has('cursor'))
    .map((parameter) => parameter.replaceAll(NOT_OF_QUERIES, encodeURIComponent));

/** What Node lets through and a URL may not hold (RFC 3986, 3.4): raw, a `>` would end the link. */
const NOT_OF_QUERIES = /%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi;
