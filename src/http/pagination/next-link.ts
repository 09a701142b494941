/** Link header with the URL of the next page (RFC 8288). */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ID_LIST_NAMES, type IdLists, packLists } from '../../contract/id-lists.ts';
import { MAX_URL_LENGTH, Problem } from '../../contract/problems/problems.ts';
import { CHANGES_PARAMETERS } from '../../contract/query/changes-parameters.ts';
import { MAX_OFFSET } from '../../contract/query/parameters.ts';
import {
  CURSOR_LENGTH,
  MAX_SORTED_CURSOR_LENGTH,
} from '../../contract/query/sorting/sorted-bytes.ts';
import type { KeysetPosition } from '../../plan/keyset-position.ts';
import { publicOriginOf } from '../public-origin.ts';
import { queryStringOf } from '../query-string.ts';
import { type CursorScope, cursorOf } from './cursor.ts';

/** Links to the records after the last one of this page. */
export const linkToNext = (reply: FastifyReply, last: KeysetPosition, scope: CursorScope): void =>
  linkTo(reply, { name: 'cursor', value: cursorOf(last, scope) }, scope.query);

/** Links to the records from an offset on. */
export const linkToOffset = (reply: FastifyReply, offset: number, query: IdLists): void =>
  linkTo(reply, { name: 'offset', value: String(offset) }, query);

/** Links to the changes after a position. */
export const linkToChanges = (reply: FastifyReply, position: string, query: IdLists): void =>
  linkTo(reply, { name: 'after', value: position }, query);

/** The parameter of the next page. */
interface Further {
  readonly name: 'cursor' | 'offset' | 'after';
  readonly value: string;
}

/** The maximum lengths of the values. Cursors of sorted lists are longer: they have a value of a record. */
const LONGEST: { readonly [name in Further['name']]: (isSorted: boolean) => number } = {
  cursor: (isSorted) => (isSorted ? MAX_SORTED_CURSOR_LENGTH : CURSOR_LENGTH),
  offset: () => String(MAX_OFFSET).length,
  // All positions of the feed have the length of the example.
  after: () => CHANGES_PARAMETERS.after.example.length,
};

/** Parameters that say where a page starts. A link has one of them. */
const POSITIONS: readonly string[] = Object.keys(LONGEST);

/** Refuses a request whose link to the next page would be too long, before the page is sent. */
export function refuseTooLongNextUrl(
  reply: FastifyReply,
  name: Further['name'],
  query: IdLists & { readonly sort?: unknown },
): void {
  const longest = LONGEST[name](query.sort !== undefined);
  const { length } = queryStringOf(reply.request);
  // Short queries need no further check. Node reads URLs as Latin-1, so percent-encoding turns a character into
  // at most six. The other half of the maximum length is enough for the path.
  if (6 * length + longest < MAX_URL_LENGTH / 2) return;
  const value = 'A'.repeat(longest);
  const path = nextPath(reply, { name, value }, query);
  if (path.length > MAX_URL_LENGTH) throw new Problem('uri_too_long');
}

function linkTo(reply: FastifyReply, further: Further, query: IdLists): void {
  const url = publicOriginOf(reply.request) + nextPath(reply, further, query);
  reply.header('link', `<${url}>; rel="next"`);
}

/** Lists of more characters are packed: proxies limit the size of response headers, nginx to 4 KiB by default. */
const MAX_LISTS_LENGTH = 200;

/** The path and the query of the next page. */
function nextPath({ request }: FastifyReply, { name, value }: Further, query: IdLists): string {
  const length = ID_LIST_NAMES.reduce((sum, list) => sum + String(query[list] ?? '').length, 0);
  const [replaced, packed] =
    length > MAX_LISTS_LENGTH
      ? [[...POSITIONS, 'id_lists', ...ID_LIST_NAMES], [`id_lists=${packLists(query)}`]]
      : [POSITIONS, []];
  const parameters = [...otherParameters(request, replaced), ...packed, `${name}=${value}`];
  return `${request.routeOptions.url}?${parameters.join('&')}`;
}

/** All parameters except the replaced ones, as the client sent them, but with invalid characters encoded. */
const otherParameters = (request: FastifyRequest, replaced: readonly string[]): readonly string[] =>
  queryStringOf(request)
    .split('&')
    .filter((parameter) => parameter !== '' && !replaced.includes(nameOf(parameter)))
    .map((parameter) => parameter.replaceAll(INVALID_IN_QUERY, encodeURIComponent));

/** Matches a usual name, which needs no decoding. */
const PLAIN_NAME = /^\w+(?==)/;

/** The name of a parameter, without the brackets of lists. */
const nameOf = (parameter: string): string =>
  PLAIN_NAME.exec(parameter)?.[0] ??
  [...new URLSearchParams(parameter).keys()].join().replace(/\[\d*\]$/, '');

/** Matches what Node accepts but a URL must not contain (RFC 3986, 3.4), such as `>`, which would end the link. */
const INVALID_IN_QUERY = /%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi;
