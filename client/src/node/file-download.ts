/** Writes a list to a file, which is there under its name only when it is complete. */

import {
  type Answer,
  type Download,
  type DownloadOptions,
  isInPages,
  type Piece,
  piecesOf,
  totalOf,
  wholeAnswer,
} from '../download.ts';
import { ApiProblem } from '../errors.ts';
import { PartFile } from './part-file.ts';

export interface FileDownloadOptions extends DownloadOptions {
  /** Begins anew where an earlier download left a part of the file. */
  readonly restart?: boolean | undefined;
}

/**
 * NDJSON and CSV go on after the last whole page that an earlier download of the same question
 * wrote; other formats are no more than one answer, and begin again.
 */
export const downloadToFile: Download<string | URL, FileDownloadOptions> = async (
  connection,
  question,
  target,
  options,
) => {
  const part = await PartFile.open(target, connection.identityOf(question), {
    restart: options.restart === true || !isInPages(question),
  });
  try {
    if (!isInPages(question)) {
      await connection.ask(
        question,
        async (response) => {
          await part.clear();
          const chunks = wholeAnswer(response, question, options.signal);
          await writeAnswer(part, { chunks, total: totalOf(response) }, options);
        },
        options.signal,
      );
    } else if (!part.isComplete) {
      await writePieces(part, piecesOf(connection, question, part.cursor, options), options);
    }
    return { bytes: await part.finish() };
  } finally {
    await part.close();
  }
};

async function writePieces(
  part: PartFile,
  pieces: AsyncIterable<Piece>,
  { onProgress }: FileDownloadOptions,
): Promise<void> {
  try {
    for await (const { bytes, next } of pieces) {
      await part.append(bytes);
      await part.note(next);
      onProgress?.({ bytes: part.bytes });
    }
  } catch (error) {
    if (!isOfCursor(error)) throw error;
    throw part.refusal('was begun with another token or database', { cause: error });
  }
}

/** Cursors are for whom they were given to: another token of the service is another asker. */
const isOfCursor = (error: unknown): boolean =>
  error instanceof ApiProblem && error.errors.some(({ parameter }) => parameter === 'cursor');

async function writeAnswer(
  part: PartFile,
  { chunks, total }: Answer,
  { onProgress }: FileDownloadOptions,
): Promise<void> {
  for await (const chunk of chunks) {
    await part.append(chunk);
    onProgress?.({ bytes: part.bytes, ...total });
  }
}
