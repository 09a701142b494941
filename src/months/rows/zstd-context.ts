/** Reusable contexts of zstd, because creating a context costs more than processing a small frame. */

import type { Transform } from 'node:stream';

/** Compresses bytes to one frame, or decompresses one frame. Returns the bytes written; throws if they do not fit. */
export type ProcessFrame = (input: Buffer, target: Buffer) => number;

/** The internal object of a zstd stream of Node.js. */
interface Handle {
  writeSync(
    operation: number,
    input: Buffer,
    inputStart: number,
    inputLength: number,
    output: Buffer,
    outputStart: number,
    outputLength: number,
  ): void;
}

/**
 * Processes frames with the context of a stream; undefined if this version of Node.js has other internal properties.
 *
 * No public function of Node.js reuses a context.
 */
export function processorOf(stream: Transform, operation: number): ProcessFrame | undefined {
  // An invalid frame emits an error and destroys the stream, which is checked below.
  stream.on('error', () => undefined);
  const handle: unknown = Reflect.get(stream, '_handle');
  const state: unknown = Reflect.get(stream, '_writeState');
  if (!isHandle(handle) || !(state instanceof Uint32Array)) return undefined;
  return (input, target) => {
    handle.writeSync(operation, input, 0, input.length, target, 0, target.length);
    const [outputLeft = 0, inputLeft = 0] = state;
    if (stream.destroyed) throw new Error('zstd refuses the frame.', { cause: stream.errored });
    if (inputLeft > 0) throw new Error(`The result does not fit into ${target.length} bytes.`);
    return target.length - outputLeft;
  };
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'writeSync') === 'function';

/** Bytes with which a new context is tested. */
export const SAMPLE = Buffer.from('sample');

/** A function that passes a test; undefined if the internal properties work differently in this version of Node.js. */
export function tested(process: ProcessFrame, works: () => boolean): ProcessFrame | undefined {
  try {
    return works() ? process : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Processes all frames with one context, which `open` creates. After a frame that failed, the next one gets a new
 * context, because the old one may hold the rest of the frame. If `open` returns none, `withNewContext` processes each
 * frame.
 */
export function withOneContext(
  open: () => ProcessFrame | undefined,
  withNewContext: ProcessFrame,
): ProcessFrame {
  let context = open();
  if (context === undefined) return withNewContext;
  return (input, target) => {
    context ??= open() ?? withNewContext;
    try {
      return context(input, target);
    } catch (error) {
      context = undefined;
      throw error;
    }
  };
}
