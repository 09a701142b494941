/** Decompresses zstd frames with one context, because creating a context costs more than a small frame. */

import { constants, createZstdDecompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Decompresses a frame into a buffer; throws if the frame does not fill it exactly. */
export type DecodeZstdFrame = (frame: Buffer, target: Buffer) => void;

/**
 * No public function of Node.js reuses a context, so the decoder uses internal properties of a stream. If a
 * version of Node.js lacks them, each frame gets a new context.
 */
export function zstdFrameDecoder(): DecodeZstdFrame {
  let context = openContext();
  if (context === undefined) return decodeAlone;
  return (frame, target) => {
    context ??= openContext() ?? decodeAlone;
    try {
      context(frame, target);
    } catch (error) {
      // The context may hold the rest of the frame.
      context = undefined;
      throw error;
    }
  };
}

/** Room beyond the content: without it, the decompressor asks for a second buffer. */
const SPARE_BYTES = 64;

export const decodeAlone: DecodeZstdFrame = (frame, target) => {
  const bytes = zstdDecompressSync(frame, { chunkSize: target.length + SPARE_BYTES });
  if (bytes.length !== target.length) throw wrongSize(target);
  bytes.copy(target);
};

const wrongSize = ({ length }: Buffer): Error =>
  new Error(`A frame does not decompress to ${length} bytes.`);

/** The internal object of a Node.js stream that decompresses. */
interface Handle {
  writeSync(
    flush: number,
    input: Buffer,
    inputStart: number,
    inputLength: number,
    output: Buffer,
    outputStart: number,
    outputLength: number,
  ): void;
}

/** A new context; undefined if it does not decompress a known frame. */
function openContext(): DecodeZstdFrame | undefined {
  const decode = contextOfStream();
  const target = Buffer.alloc(KNOWN.length);
  try {
    decode?.(zstdCompressSync(KNOWN), target);
  } catch {
    // The internal properties work differently in this version of Node.js.
  }
  return target.equals(KNOWN) ? decode : undefined;
}

const KNOWN = Buffer.from('known');

function contextOfStream(): DecodeZstdFrame | undefined {
  const stream = createZstdDecompress();
  // An invalid frame emits an error and destroys the stream, which is checked below.
  stream.on('error', () => undefined);
  const handle: unknown = Reflect.get(stream, '_handle');
  const state: unknown = Reflect.get(stream, '_writeState');
  if (!isHandle(handle) || !(state instanceof Uint32Array)) return undefined;
  return (frame, target) => {
    const { length } = target;
    handle.writeSync(constants.ZSTD_e_continue, frame, 0, frame.length, target, 0, length);
    if (stream.destroyed || state.some((left) => left > 0)) throw wrongSize(target);
  };
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'writeSync') === 'function';
