/** Prints texts to standard output as fast as its reader takes them. */

import { once } from 'node:events';

export async function printAll(texts: AsyncIterable<string>): Promise<void> {
  for await (const text of texts) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  }
}
