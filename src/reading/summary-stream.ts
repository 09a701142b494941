/** Reads a summary as one stream of its groups. */

import type { ExportFiles } from '../disk/export-files.ts';
import { readAhead } from '../disk/spool.ts';
import type { Reader } from '../engine/engine.ts';
import type { Statement } from '../plan/sql.ts';
import { RetryPolicy } from './retry.ts';

/**
 * Blocks as the statement's form writes them; the reader owns the blocks. What waits for a slow one
 * is kept in files.
 *
 * An engine that fails for the moment before the first block is asked again; after that the stream
 * fails with it, as the groups may be others by then.
 */
export async function* readSummary(
  statement: Statement,
  reader: Reader,
  signal: AbortSignal,
  files: ExportFiles,
): AsyncGenerator<Uint8Array> {
  const { blocks, first } = await new RetryPolicy(signal).untilDone(async () => {
    const begun = readAhead(reader.read(statement, signal), files);
    return { blocks: begun, first: await begun.next() };
  });
  if (first.done) return;
  try {
    yield first.value;
    yield* blocks;
  } finally {
    await blocks.return(undefined);
  }
}
