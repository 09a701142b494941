/** Compresses rows to zstd frames with one context. */

import { constants, createZstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type ProcessFrame, processorOf, SAMPLE, tested, withOneContext } from './zstd-context.ts';

const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The bytes that a target needs: more than the longest frame of so many bytes (`ZSTD_compressBound`). */
export const targetSize = (bytes: number): number => bytes + (bytes >> 8) + 256;

/** Compresses into a target of `targetSize` bytes or more; throws if the frame does not fit. */
export const zstdFrameEncoder = (): ProcessFrame =>
  withOneContext(openContext, encodeWithNewContext);

export const encodeWithNewContext: ProcessFrame = (rows, target) => {
  const frame = zstdCompressSync(rows, FAST);
  if (frame.length > target.length) throw tooSmall(target);
  return frame.copy(target);
};

const tooSmall = ({ length }: Buffer): Error => new Error(`A frame has more than ${length} bytes.`);

/** A new context; undefined if its frame of a sample cannot be decompressed. */
function openContext(): ProcessFrame | undefined {
  const encode = processorOf(createZstdCompress(FAST), constants.ZSTD_e_end);
  if (encode === undefined) return undefined;
  const encodeWhole: ProcessFrame = (rows, target) => {
    const size = encode(rows, target);
    // A frame that fills its target may be incomplete: the context may hold its rest.
    if (size === target.length) throw tooSmall(target);
    return size;
  };
  return tested(encodeWhole, () => {
    const target = Buffer.alloc(targetSize(SAMPLE.length));
    const frame = target.subarray(0, encodeWhole(SAMPLE, target));
    return zstdDecompressSync(frame).equals(SAMPLE);
  });
}
