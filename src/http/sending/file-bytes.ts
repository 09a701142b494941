/** Reads the bytes of a temporary file in blocks. */

import type { ExportFile } from '../../disk/export-files.ts';
import type { ByteRange } from './byte-range.ts';

const BLOCK = 1024 * 1024;

export const wholeOf = ({ size }: Pick<ExportFile, 'size'>): ByteRange => ({
  first: 0,
  last: size - 1,
});

/** Throws if the file has become shorter than `size`. */
export async function* bytesOf(
  { file, size }: Pick<ExportFile, 'file' | 'size'>,
  { first, last }: ByteRange = wholeOf({ size }),
): AsyncGenerator<Uint8Array> {
  for (let at = first; at <= last; ) {
    const block = Buffer.allocUnsafeSlow(Math.min(BLOCK, last + 1 - at));
    const { bytesRead } = await file.read(block, 0, block.length, at);
    if (bytesRead === 0)
      throw new RangeError('The temporary file was truncated while it was read.');
    at += bytesRead;
    yield block.subarray(0, bytesRead);
  }
}
