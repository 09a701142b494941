/** Writes a whole list, in the format of choice, to where it is to be kept. */

import { MAX_PAGE_SIZE } from './contract.ts';
import { ConnectionCut } from './errors.ts';
import { pagesOf } from './lists/pages.ts';
import type { Stoppable } from './lists/rows.ts';
import { chunksOf } from './transport/chunks.ts';
import { type Connection, type Question, unlessCut } from './transport/connection.ts';

export interface Progress {
  /** Bytes that are written so far. */
  readonly bytes: number;
  /** Bytes of the whole, where the service tells them before: of Parquet and Arrow. */
  readonly total?: number;
}

export interface DownloadOptions extends Stoppable {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Rows that are asked for at a time, 1 to 10,000. */
  readonly pageSize?: number | undefined;
}

/** How a download to one kind of target works. */
export type Download<Target, Options extends DownloadOptions> = (
  connection: Connection,
  question: Question,
  target: Target,
  options: Options,
) => Promise<Progress>;

/** Whether a list in this format may be asked for in pages, which are put together again. */
export const isInPages = ({ parameters: { format } }: Question): boolean =>
  format === 'ndjson' || format === 'csv';

/** What a page adds to what is written, and where the next one begins. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly next: string | undefined;
}

/** The pages from a cursor on, of which only the first one of all keeps its header. */
export async function* piecesOf(
  connection: Connection,
  question: Question,
  cursor: string | undefined,
  { signal, pageSize = MAX_PAGE_SIZE }: DownloadOptions,
): AsyncGenerator<Piece, void> {
  const paged = { ...question, parameters: { ...question.parameters, limit: pageSize } };
  const hasHeader = question.parameters.format === 'csv';
  let isFirst = cursor === undefined;
  for await (const { bytes, next } of pagesOf(connection, paged, cursor, signal)) {
    yield { bytes: hasHeader && !isFirst ? withoutHeader(bytes) : bytes, next };
    isFirst = false;
  }
}

const LINE_END = 10;

/** No name of a field holds the end of a line. */
const withoutHeader = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(bytes.indexOf(LINE_END) + 1);

/**
 * What whole answers end with. A proxy may close a connection as if all were well, and what undoes
 * a compression may not notice that it ended too early.
 */
const ENDINGS: readonly (readonly [format: string, ending: string])[] = [
  ['json', ']\n'],
  ['parquet', 'PAR1'],
  ['arrow', 'ARROW1'],
];

const LONGEST_ENDING = Math.max(...ENDINGS.map(([, ending]) => ending.length));

type Total = Pick<Progress, 'total'>;

/** The length of an answer, where it is said, and is not that of something compressed. */
export function totalOf({ headers }: Response): Total {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? {} : { total: Number(length) };
}

/** The answer as it arrives; a cut is thrown. */
export async function* wholeAnswer(
  response: Response,
  { parameters: { format = 'json' } }: Question,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  const ending = ENDINGS.find(([name]) => name === format)?.[1] ?? '';
  const chunks = chunksOf(response.body);
  let last = '';
  try {
    for (;;) {
      const next = await unlessCut(signal, async () => await chunks.next());
      if (next.done) break;
      const end = String.fromCharCode(...next.value.subarray(-LONGEST_ENDING));
      last = (last + end).slice(-LONGEST_ENDING);
      yield next.value;
    }
  } finally {
    await chunks.return();
  }
  if (!last.endsWith(ending)) throw new ConnectionCut('The answer ends before its end.');
}

/** To a stream, which is closed after the last byte and aborted where there is none. */
export const downloadToStream: Download<WritableStream<Uint8Array>, DownloadOptions> = async (
  connection,
  question,
  target,
  options,
) => {
  const writer = target.getWriter();
  let bytes = 0;
  try {
    const { chunks, total } = await answerTo(connection, question, options);
    for await (const chunk of chunks) {
      await writer.ready;
      await writer.write(chunk);
      bytes += chunk.length;
      options.onProgress?.({ bytes, ...total });
    }
    await writer.close();
    return { bytes };
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
};

/** What comes in answer, and how long it is where that is known. */
export interface Answer {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly total?: Total;
}

async function answerTo(
  connection: Connection,
  question: Question,
  options: DownloadOptions,
): Promise<Answer> {
  if (isInPages(question)) {
    return { chunks: bytesOf(piecesOf(connection, question, undefined, options)) };
  }
  const response = await connection.ask(question, async (answer) => answer, options.signal);
  const chunks = wholeAnswer(response, question, options.signal);
  return { chunks, total: totalOf(response) };
}

async function* bytesOf(pieces: AsyncIterable<Piece>): AsyncGenerator<Uint8Array, void> {
  for await (const { bytes } of pieces) yield bytes;
}
