/** Reads a list page by page, with retries and a check for lost links. */

import { MAX_PAGE_SIZE } from '../contract.ts';
import { UnexpectedResponse } from '../errors.ts';
import type { ApiRequest, Connection } from '../transport/connection.ts';
import { countRecords, limitOf, type Page, requestPage } from './page.ts';

/**
 * Reads one page. The page is the last one if it has no link. A proxy may remove the header `Link`,
 * so a full page without a link counts as the last one only after a check that nothing follows.
 */
export async function readPage(
  connection: Connection,
  request: ApiRequest,
  signal: AbortSignal | undefined,
): Promise<Page> {
  const page = await requestPage(connection, request, signal);
  if (!lacksLink(page, request) || !(await hasMoreRecords(connection, request, signal)))
    return page;
  // The records that follow may have just been added. Then the same page now has a link.
  const again = await requestPage(connection, request, signal);
  if (!lacksLink(again, request)) return again;
  throw new UnexpectedResponse(
    'A full page came without the header Link, and more records may follow. Check that no proxy in front of the service removes this header.',
    200,
  );
}

/** A page that is not full is the last one and needs no link. */
const lacksLink = (page: Page, request: ApiRequest): boolean =>
  page.next === undefined && countRecords(page, request) === limitOf(request);

/**
 * Whether records follow a full page. Requests the page with one record more. A page of the maximum
 * size takes two requests: all but its last record, then the last record with one more.
 */
async function hasMoreRecords(
  connection: Connection,
  { path, parameters }: ApiRequest,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const ask = async (limit: number, cursor: typeof parameters.cursor) => {
    // A cursor replaces an offset.
    const offset = cursor === undefined ? parameters.offset : undefined;
    const request = { path, parameters: { ...parameters, limit, offset, cursor } };
    const page = await requestPage(connection, request, signal);
    return { next: page.next, isFull: countRecords(page, request) === limit };
  };
  const limit = limitOf({ path, parameters });
  if (limit < MAX_PAGE_SIZE) return (await ask(limit + 1, parameters.cursor)).isFull;
  const allButLast = await ask(limit - 1, parameters.cursor);
  // If this page is full but lacks its link too, assume that records follow.
  if (allButLast.next === undefined) return allButLast.isFull;
  return (await ask(2, allButLast.next)).isFull;
}

/** All pages from a cursor on. Prefetches the next page, so memory holds two pages at a time. */
export async function* pagesOf(
  connection: Connection,
  { path, parameters, headers }: ApiRequest,
  cursor: string | undefined,
  given: AbortSignal | undefined,
): AsyncGenerator<Page, void> {
  const leaving = new AbortController();
  const signal = given ? AbortSignal.any([given, leaving.signal]) : leaving.signal;
  const read = async (at: string | undefined) => {
    const asked = { path, parameters: { ...parameters, cursor: at }, ...(headers && { headers }) };
    return await readPage(connection, asked, signal);
  };
  try {
    for (let coming: Promise<Page> | undefined = read(cursor); coming !== undefined; ) {
      const page: Page = await coming;
      coming = page.next === undefined ? undefined : read(page.next);
      // Awaited in the next round; until then a rejection must not count as unhandled.
      coming?.catch(() => undefined);
      yield page;
    }
  } finally {
    leaving.abort();
  }
}
