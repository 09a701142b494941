/** Reads answers that are one JSON object a line. */

import { ConnectionCut } from '../errors.ts';

/** The values of a whole text of lines, parsed one by one. */
export function* valuesOf(text: string): Generator<unknown> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    if (end === -1) throw brokenOff();
    yield JSON.parse(text.slice(start, end));
    start = end + 1;
  }
}

/** The values of lines as they arrive; holds one chunk and at most one line before it. */
export async function* valuesFrom(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) yield* valuesOf(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  }
  // A proxy may close a connection as if all were well.
  if (rest + decoder.decode() !== '') throw brokenOff();
}

const brokenOff = (): ConnectionCut =>
  new ConnectionCut('The answer ends in the middle of a line.');
