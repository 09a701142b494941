/** Reads a summary as one stream of its groups. */

import type { ClientFiles } from '../disk/export-files.ts';
import { spool } from '../disk/spool.ts';
import type { Reader } from '../engine/engine.ts';
import type { Statement } from '../plan/sql.ts';
import { RetryPolicy } from './retry.ts';

/**
 * Blocks of rendered groups. The caller owns the blocks; those that wait for a slow client are
 * spooled to a file.
 *
 * A transient failure before the first block is retried. A later failure ends the stream, because
 * the groups may have changed by then.
 */
export async function* readSummary(
  statement: Statement,
  reader: Reader,
  signal: AbortSignal,
  files: ClientFiles,
): AsyncGenerator<Uint8Array> {
  const { blocks, first } = await new RetryPolicy(signal).run(async () => {
    const started = spool(reader.read(statement, signal), files);
    return { blocks: started, first: await started.next() };
  });
  if (first.done) return;
  try {
    yield first.value;
    yield* blocks;
  } finally {
    await blocks.return(undefined);
  }
}
