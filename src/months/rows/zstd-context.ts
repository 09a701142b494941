/** Reusable contexts of zstd, because creating a context costs more than a small frame. */

import type { Transform } from 'node:stream';

/** Processes a whole frame. Returns the number of bytes written to the target; throws if the frame does not fit. */
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
    if (stream.destroyed || inputLeft > 0) throw new Error('The frame does not fit its target.');
    return target.length - outputLeft;
  };
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'writeSync') === 'function';

/**
 * Processes all frames with one context, which `open` creates. After a frame that failed, the next one gets a new
 * context, because the old one may hold the rest of the frame. Without contexts, `alone` processes each frame.
 */
export function withOneContext(
  open: () => ProcessFrame | undefined,
  alone: ProcessFrame,
): ProcessFrame {
  let context = open();
  if (context === undefined) return alone;
  return (input, target) => {
    context ??= open() ?? alone;
    try {
      return context(input, target);
    } catch (error) {
      context = undefined;
      throw error;
    }
  };
}
