/** Reads a list page after page: each is there whole before it is given on, or asked for again. */

import { MAX_PAGE_SIZE } from '../contract.ts';
import { UnexpectedAnswer } from '../errors.ts';
import type { Connection, Question } from '../transport/connection.ts';
import { askForPage, type Page, recordsOf } from './page.ts';

/**
 * One page, read to its end; where it names no next one, there is none. Links may be lost on their
 * way, in a proxy or to a page of another origin, and all that was behind them: a full page without
 * one is believed to be the last only when nothing is found behind it.
 */
export async function readPage(
  connection: Connection,
  question: Question,
  signal: AbortSignal | undefined,
): Promise<Page> {
  const page = await askForPage(connection, question, signal);
  if (!lacksLink(page, question) || !(await isFollowed(connection, question, signal))) return page;
  // What is behind it may have come since, and then there is a link now.
  const again = await askForPage(connection, question, signal);
  if (!lacksLink(again, question)) return again;
  throw new UnexpectedAnswer(
    'A full page came without the header Link, and more records may follow: let this header through, in what is between here and the service.',
    200,
  );
}

/** Pages that are not full are the last ones. */
const lacksLink = (page: Page, question: Question): boolean =>
  page.next === undefined && recordsOf(page, question) === limitOf(question);

const limitOf = ({ parameters: { limit } }: Question): number => Number(limit);

/**
 * Whether anything comes after a full page. It is asked for with one record more; the longest page,
 * which cannot be, in two: all of it but its last record, and that one with one more.
 */
async function isFollowed(
  connection: Connection,
  { path, parameters }: Question,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const ask = async (limit: number, cursor: typeof parameters.cursor) => {
    const question = { path, parameters: { ...parameters, limit, cursor } };
    const page = await askForPage(connection, question, signal);
    return { next: page.next, isFull: recordsOf(page, question) === limit };
  };
  const limit = limitOf({ path, parameters });
  if (limit < MAX_PAGE_SIZE) return (await ask(limit + 1, parameters.cursor)).isFull;
  const allButLast = await ask(limit - 1, parameters.cursor);
  // Without a link here too, nobody can tell.
  if (allButLast.next === undefined) return allButLast.isFull;
  return (await ask(2, allButLast.next)).isFull;
}

/**
 * All pages from a cursor on. The next one is asked for while the last one is worked on, so two are
 * held at a time.
 */
export async function* pagesOf(
  connection: Connection,
  { path, parameters, headers }: Question,
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
      // It is waited for later; until then a failure is nobody's.
      coming?.catch(() => undefined);
      yield page;
    }
  } finally {
    leaving.abort();
  }
}
