/** Downloads a list to a file, which gets its name only when it is complete. */

import {
  checkedBody,
  contentLengthOf,
  type Download,
  type DownloadBody,
  type DownloadOptions,
  type DownloadPage,
  downloadPages,
  isPaged,
} from '../download.ts';
import { ApiProblem } from '../errors.ts';
import { PartFile } from './part-file.ts';

export interface FileDownloadOptions extends DownloadOptions {
  /** Starts again instead of resuming a partial file. */
  readonly restart?: boolean | undefined;
}

/**
 * Downloads a list to a file. NDJSON and CSV resume after the last complete page of an earlier download of the
 * same query. Other formats start again, because a single response cannot be resumed.
 */
export const downloadToFile: Download<string | URL, FileDownloadOptions> = async (
  connection,
  request,
  target,
  options,
) => {
  const part = await PartFile.open(target, connection.keyOf(request), {
    restart: options.restart === true || !isPaged(request),
  });
  try {
    if (!isPaged(request)) {
      await connection.request(
        request,
        async (response) => {
          await part.clear();
          const chunks = checkedBody(response, request, options.signal);
          await writeBody(part, { chunks, total: contentLengthOf(response) }, options);
        },
        options.signal,
      );
    } else if (!part.isComplete) {
      await writePages(part, downloadPages(connection, request, part.cursor, options), options);
    }
    return { bytes: await part.finish() };
  } finally {
    await part.close();
  }
};

async function writePages(
  part: PartFile,
  pages: AsyncIterable<DownloadPage>,
  { onProgress }: FileDownloadOptions,
): Promise<void> {
  try {
    for await (const { bytes, next } of pages) {
      await part.append(bytes);
      await part.saveCheckpoint(next);
      onProgress?.({ bytes: part.bytes });
    }
  } catch (error) {
    if (!isCursorError(error)) throw error;
    throw part.cannotResume('it was started with another token or database', { cause: error });
  }
}

/** The service accepts a cursor only from the principal for which it created the cursor. */
const isCursorError = (error: unknown): boolean =>
  error instanceof ApiProblem && error.errors.some(({ parameter }) => parameter === 'cursor');

async function writeBody(
  part: PartFile,
  { chunks, total }: DownloadBody,
  { onProgress }: FileDownloadOptions,
): Promise<void> {
  for await (const chunk of chunks) {
    await part.append(chunk);
    onProgress?.({ bytes: part.bytes, ...total });
  }
}
