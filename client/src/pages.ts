/** Reads a list page after page: each is there whole before it is given on, or asked for again. */

import { type Connection, type Question, unlessCut } from './connection.ts';
import { ConnectionCut } from './errors.ts';

/** The most records that the service puts on a page. */
export const LONGEST_PAGE = 10_000;

export interface Page {
  /** Whole lines. */
  readonly bytes: Uint8Array;
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined;
  /** How many records the question has, where that was asked. */
  readonly total: number | undefined;
}

const LINE_END = 10;

/** One page, read to its end. */
export const readPage = async (
  connection: Connection,
  question: Question,
  signal: AbortSignal | undefined,
): Promise<Page> =>
  await connection.ask(
    question,
    async (response) => {
      const bytes = new Uint8Array(
        await unlessCut(signal, async () => await response.arrayBuffer()),
      );
      if (bytes.length > 0 && bytes.at(-1) !== LINE_END) {
        throw new ConnectionCut('The answer ends in the middle of a line.');
      }
      const total = response.headers.get('x-total-count');
      return {
        bytes,
        next: nextCursor(response.headers.get('link')),
        total: total === null ? undefined : Number(total),
      };
    },
    signal,
  );

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

/** Only the cursor is taken from the link: behind a proxy, its address may be one for others. */
function nextCursor(link: string | null): string | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  if (target === undefined) return undefined;
  const cursor = new URL(target, 'http://any.example').searchParams.get('cursor');
  return cursor ?? undefined;
}
