/** Watches how far a stream of bytes is, and whether it fails by itself. */

import { pipeline, type Readable, Transform } from 'node:stream';
import type { Watch } from '../engine.ts';

/** What is sent to a server could not be read, which is not its fault; the cause says why. */
export class BodyFailure extends Error {}

/** A stream that tells how much of it has gone; it ends in a BodyFailure where the body failed. */
export function counted(body: Readable, onProgress: Watch['onProgress']): Readable {
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onProgress?.(bytes);
      done(null, chunk);
    },
  });
  // Before the pipeline, which takes either of them down with the other.
  body.once('error', (cause) => {
    if (!count.destroyed) count.destroy(new BodyFailure('', { cause }));
  });
  pipeline(body, count, () => undefined);
  return count;
}
