/** Prints to standard output: texts as fast as their reader takes them, and secrets that are shown only once. */

import { once } from 'node:events';
import { UserError } from '../../user-error.ts';

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

/** `console.log` ignores errors. Then a secret would be valid that nobody has, so this throws with what to do next. */
export async function printSecret(
  text: string,
  { name, next }: { readonly name: string; readonly next: string },
): Promise<void> {
  const { stdout } = process;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Without a listener, the error would end the process before it is reported.
  stdout.once('error', reject);
  stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  await promise.catch((cause: NodeJS.ErrnoException) => {
    throw new UserError(`${name} could not be printed (${cause.code}).`, next, { cause });
  });
  stdout.off('error', reject);
}
