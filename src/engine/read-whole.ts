/** Reads a small response as one buffer. */

import { freeBuffer } from '../disk/free-buffer.ts';
import type { Statement } from '../plan/sql.ts';
import type { Reader } from './engine.ts';

export async function readWhole(
  statement: Statement,
  reader: Pick<Reader, 'read'>,
  signal: AbortSignal,
): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for await (const block of reader.read(statement, signal)) {
    blocks.push(Buffer.from(block));
    freeBuffer(block);
  }
  return Buffer.concat(blocks);
}
