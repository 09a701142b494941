/** Decompresses zstd frames with one context. */

import { constants, createZstdDecompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type ProcessFrame, processorOf, SAMPLE, tested, withOneContext } from './zstd-context.ts';

/** Decompresses a frame; throws if it does not fill the target exactly. */
export const zstdFrameDecoder = (): ProcessFrame =>
  withOneContext(openContext, decodeWithNewContext);

/** Room beyond the content: without it, the decompressor asks for a second buffer. */
const SPARE_BYTES = 64;

export const decodeWithNewContext: ProcessFrame = (frame, target) => {
  const bytes = zstdDecompressSync(frame, { chunkSize: target.length + SPARE_BYTES });
  if (bytes.length !== target.length) throw wrongSize(target);
  return bytes.copy(target);
};

const wrongSize = ({ length }: Buffer): Error =>
  new Error(`A frame does not decompress to ${length} bytes.`);

/** A new context; undefined if it does not decompress a sample. */
function openContext(): ProcessFrame | undefined {
  const decode = processorOf(createZstdDecompress(), constants.ZSTD_e_continue);
  if (decode === undefined) return undefined;
  const decodeExactly: ProcessFrame = (frame, target) => {
    const size = decode(frame, target);
    if (size !== target.length) throw wrongSize(target);
    return size;
  };
  return tested(decodeExactly, () => {
    const target = Buffer.alloc(SAMPLE.length);
    decodeExactly(zstdCompressSync(SAMPLE), target);
    return target.equals(SAMPLE);
  });
}
