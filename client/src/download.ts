/** Downloads of a whole list in any format, to a stream or a file. */

import { MAX_PAGE_SIZE } from './contract.ts';
import { ConnectionCut } from './errors.ts';
import { pagesOf } from './lists/pages.ts';
import type { Cancellable } from './lists/rows.ts';
import { chunksOf } from './transport/chunks.ts';
import { type ApiRequest, type Connection, readBody } from './transport/connection.ts';

export interface Progress {
  /** Bytes written so far. */
  readonly bytes: number;
  /** Bytes of the complete download. Known for Parquet and Arrow only. */
  readonly total?: number;
}

export interface DownloadOptions extends Cancellable {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Rows per request, 1 to 10,000. */
  readonly pageSize?: number | undefined;
}

/** Downloads a list to one kind of target. */
export type Download<Target, Options extends DownloadOptions> = (
  connection: Connection,
  request: ApiRequest,
  target: Target,
  options: Options,
) => Promise<Progress>;

/** Whether the list is downloaded page by page, so that an interrupted download can resume. */
export const isPaged = ({ parameters: { format } }: ApiRequest): boolean =>
  format === 'ndjson' || format === 'csv';

/** The bytes of a page without a repeated header, and the cursor of the next page. */
export interface DownloadPage {
  readonly bytes: Uint8Array;
  readonly next: string | undefined;
}

/** Reads the pages from a cursor on. Only the first page of the list keeps its CSV header. */
export async function* downloadPages(
  connection: Connection,
  request: ApiRequest,
  cursor: string | undefined,
  { signal, pageSize = MAX_PAGE_SIZE }: DownloadOptions,
): AsyncGenerator<DownloadPage, void> {
  const paged = { ...request, parameters: { ...request.parameters, limit: pageSize } };
  const hasHeader = request.parameters.format === 'csv';
  let isFirst = cursor === undefined;
  for await (const { bytes, next } of pagesOf(connection, paged, cursor, signal)) {
    yield { bytes: hasHeader && !isFirst ? withoutHeader(bytes) : bytes, next };
    isFirst = false;
  }
}

const LINE_END = 10;

/** The header is the first line: no field name contains a line feed. */
const withoutHeader = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(bytes.indexOf(LINE_END) + 1);

/**
 * The last bytes of a complete response. A proxy may end a truncated response without an error, and
 * a decompressor may not notice it.
 */
const ENDINGS: readonly (readonly [format: string, ending: string])[] = [
  ['json', ']\n'],
  ['parquet', 'PAR1'],
  ['arrow', 'ARROW1'],
];

const LONGEST_ENDING = Math.max(...ENDINGS.map(([, ending]) => ending.length));

type Total = Pick<Progress, 'total'>;

/** The content length, unless the response is compressed. */
export function contentLengthOf({ headers }: Response): Total {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? {} : { total: Number(length) };
}

/** Streams the body; throws a ConnectionCut if it is incomplete. */
export async function* checkedBody(
  response: Response,
  { parameters: { format = 'json' } }: ApiRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  const ending = ENDINGS.find(([name]) => name === format)?.[1] ?? '';
  const chunks = chunksOf(response.body);
  let last = '';
  try {
    for (;;) {
      const next = await readBody(signal, async () => await chunks.next());
      if (next.done) break;
      const end = String.fromCharCode(...next.value.subarray(-LONGEST_ENDING));
      last = (last + end).slice(-LONGEST_ENDING);
      yield next.value;
    }
  } finally {
    await chunks.return();
  }
  if (!last.endsWith(ending))
    throw new ConnectionCut('The response is incomplete: its last bytes are missing.');
}

/** Downloads to a stream: closes it after the last byte, and aborts it on an error. */
export const downloadToStream: Download<WritableStream<Uint8Array>, DownloadOptions> = async (
  connection,
  request,
  target,
  options,
) => {
  const writer = target.getWriter();
  let bytes = 0;
  try {
    const { chunks, total } = await openDownload(connection, request, options);
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

/** The body of a download, and its length if known. */
export interface DownloadBody {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly total?: Total;
}

async function openDownload(
  connection: Connection,
  request: ApiRequest,
  options: DownloadOptions,
): Promise<DownloadBody> {
  if (isPaged(request)) {
    return { chunks: bytesOf(downloadPages(connection, request, undefined, options)) };
  }
  const response = await connection.request(request, async (open) => open, options.signal);
  const chunks = checkedBody(response, request, options.signal);
  return { chunks, total: contentLengthOf(response) };
}

async function* bytesOf(pages: AsyncIterable<DownloadPage>): AsyncGenerator<Uint8Array, void> {
  for await (const { bytes } of pages) yield bytes;
}
