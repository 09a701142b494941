/** Watches how far a stream of bytes is. */

import { pipeline, type Readable, Transform } from 'node:stream';
import type { Watch } from '../engine.ts';

/** A stream that tells how much of it has gone. */
export function counted(body: Readable, onProgress: Watch['onProgress']): Readable {
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onProgress?.(bytes);
      done(null, chunk);
    },
  });
  pipeline(body, count, () => undefined);
  return count;
}
