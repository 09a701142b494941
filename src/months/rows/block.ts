/** Blocks of rows, compressed with zstd. */

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { RowKey } from './stored-row.ts';

export interface Block {
  readonly first: RowKey;
  readonly compressed: Buffer;
  /** Bytes of the rows. */
  readonly size: number;
  readonly rows: number;
  /** The number of rows before it. */
  readonly position: number;
}

/** Room for the decompressor besides the rows: with none left, it asks for a second buffer. */
const SPARE_BYTES = 64;

/** Whether one call decompresses several frames: some versions of Node.js end after the first one. */
const READS_ALL_FRAMES = ((): boolean => {
  const frame = zstdCompressSync(Buffer.from('x'));
  return zstdDecompressSync(Buffer.concat([frame, frame])).length === 2;
})();

/** The rows of blocks, one after the other. */
export function decompressed(blocks: readonly Block[]): Buffer {
  if (!READS_ALL_FRAMES && blocks.length > 1) {
    return Buffer.concat(blocks.map((block) => decompressed([block])));
  }
  const size = blocks.reduce((all, block) => all + block.size, 0);
  const frames = Buffer.concat(blocks.map(({ compressed }) => compressed));
  const bytes = zstdDecompressSync(frames, { chunkSize: size + SPARE_BYTES });
  if (bytes.length !== size) throw new Error(`Blocks of ${size} bytes have ${bytes.length}.`);
  return bytes;
}
