/** Prints texts to standard output as fast as its reader takes them. */

import { once } from 'node:events';

/** Ends early, without an error, if the reader has enough, such as `head`. */
export async function printAll(texts: AsyncIterable<string>): Promise<void> {
  const { stdout } = process;
  const broken = new AbortController();
  // Stays on the stream, because the error of the last text may come later.
  stdout.on('error', (error) => broken.abort(error));
  try {
    for await (const text of texts) {
      if (!stdout.write(text)) await once(stdout, 'drain');
      broken.signal.throwIfAborted();
    }
  } catch (error) {
    if (!isClosedPipe(error)) throw error;
  }
}

const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EPIPE';
