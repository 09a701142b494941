/** Reads one page of a list, whole or not at all. */

import { ConnectionCut } from '../errors.ts';
import { type Connection, type Question, unlessCut } from '../transport/connection.ts';

export interface Page {
  /** Whole lines. */
  readonly bytes: Uint8Array;
  /** Where the next page begins; undefined where the answer names none. */
  readonly next: string | undefined;
  /** How many records the question has, where that was asked. */
  readonly total: number | undefined;
}

const LINE_END = 10;
const QUOTE = 34;

/** What one answer says. */
export const askForPage = async (
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

/** Only the cursor is taken from the link: behind a proxy, its address may be one for others. */
function nextCursor(link: string | null): string | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  if (target === undefined) return undefined;
  const cursor = new URL(target, 'http://any.example').searchParams.get('cursor');
  return cursor ?? undefined;
}

/** How many records the lines of a page are. */
export function recordsOf({ bytes }: Page, { parameters: { format } }: Question): number {
  if (format !== 'csv') return lineEndsOf(bytes);
  // The texts of CSV may hold ends of lines, and all of them are in quotes; the header is no record.
  let lines = 0;
  let isQuoted = false;
  for (const byte of bytes) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === LINE_END && !isQuoted) lines += 1;
  }
  return Math.max(0, lines - 1);
}

function lineEndsOf(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, at + 1)) {
    lines += 1;
  }
  return lines;
}
