/** Blocks of rows, compressed with zstd. */

import { zstdFrameDecoder } from './frame-decoder.ts';
import type { RowKey } from './stored-row.ts';

export interface Block {
  readonly first: RowKey;
  readonly last: RowKey;
  readonly compressed: Buffer;
  /** Bytes of the rows. */
  readonly size: number;
  readonly rows: number;
  /** The number of rows before it. */
  readonly position: number;
}

const decodeFrame = zstdFrameDecoder();

/** The rows of blocks, one after the other. */
export function decompressed(blocks: readonly Pick<Block, 'compressed' | 'size'>[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(blocks.reduce((all, { size }) => all + size, 0));
  let start = 0;
  for (const { compressed, size } of blocks) {
    decodeFrame(compressed, bytes.subarray(start, start + size));
    start += size;
  }
  return bytes;
}
