/** Reads the lines of a response from the control socket. */

import type { Readable } from 'node:stream';

/** Throws if the connection closes early. */
export async function* linesOf(response: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
