/** Counts the bytes of an upload, and distinguishes failures of the uploaded body from failures of the server. */

import { pipeline, type Readable, Transform } from 'node:stream';
import type { ExecuteOptions } from '../engine.ts';

/** The body of an upload could not be read. The cause says why; the server is not at fault. */
export class BodyFailure extends Error {}

/** Passes the bytes on. The stream fails with a BodyFailure if the body fails. */
export function countBytes(body: Readable, onProgress: ExecuteOptions['onProgress']): Readable {
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onProgress?.(bytes);
      done(null, chunk);
    },
  });
  // Added before the pipeline, which would destroy `count` with the body's own error.
  body.once('error', (cause) => {
    if (!count.destroyed) count.destroy(new BodyFailure('', { cause }));
  });
  pipeline(body, count, () => undefined);
  return count;
}
