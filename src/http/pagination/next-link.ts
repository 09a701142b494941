/** Link header with the URL of the next page (RFC 8288). */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { MAX_URL_LENGTH, Problem } from '../../contract/problems/problems.ts';
import { CHANGES_PARAMETERS } from '../../contract/query/changes-parameters.ts';
import { PARAMETERS } from '../../contract/query/parameters.ts';
import { MAX_OFFSET } from '../../contract/query/performance-parameters.ts';
import type { KeysetPosition } from '../../plan/keyset-position.ts';
import { publicOriginOf } from '../public-origin.ts';
import { queryStringOf } from '../query-string.ts';
import { type CursorScope, cursorOf } from './cursor.ts';

/** Links to the records after the last one of this page. */
export const linkToNext = (reply: FastifyReply, last: KeysetPosition, scope: CursorScope): void =>
  linkTo(reply, 'cursor', cursorOf(last, scope));

/** Links to the records from an offset on. */
export const linkToOffset = (reply: FastifyReply, offset: number): void =>
  linkTo(reply, 'offset', String(offset));

/** Refuses a URL to which no cursor can be added, before its first page is sent. */
export const refuseTooLongNextUrl = (reply: FastifyReply): void =>
  refuseTooLong(reply, 'cursor', PARAMETERS.cursor.example);

/** Refuses a URL to which no offset can be added. */
export const refuseTooLongOffsetUrl = (reply: FastifyReply): void =>
  refuseTooLong(reply, 'offset', String(MAX_OFFSET));

/** Links to the changes after a position. */
export const linkToChanges = (reply: FastifyReply, position: string): void =>
  linkTo(reply, 'after', position);

/** Refuses a URL to which no position can be added. */
export const refuseTooLongChangesUrl = (reply: FastifyReply): void =>
  refuseTooLong(reply, 'after', CHANGES_PARAMETERS.after.example);

type PageParameter = 'cursor' | 'offset' | 'after';

function linkTo(reply: FastifyReply, name: PageParameter, value: string): void {
  const url = publicOriginOf(reply.request) + nextPath(reply, name, value);
  reply.header('link', `<${url}>; rel="next"`);
}

/** The example has the greatest length of the parameter. */
function refuseTooLong(reply: FastifyReply, name: PageParameter, example: string): void {
  if (nextPath(reply, name, example).length > MAX_URL_LENGTH) throw new Problem('uri_too_long');
}

/** With the query. */
const nextPath = ({ request }: FastifyReply, name: PageParameter, value: string): string =>
  `${request.routeOptions.url}?${[...otherParameters(request, name), `${name}=${value}`].join('&')}`;

/** All parameters except the one of the page, as the client sent them. */
const otherParameters = (request: FastifyRequest, name: PageParameter): readonly string[] =>
  queryStringOf(request)
    .split('&')
    .filter((parameter) => parameter !== '' && !new URLSearchParams(parameter).has(name))
    .map((parameter) => parameter.replaceAll(INVALID_IN_QUERY, encodeURIComponent));

/** Node accepts characters that a URL must not hold (RFC 3986, 3.4), such as the `>` that ends the link. */
const INVALID_IN_QUERY = /%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi;
