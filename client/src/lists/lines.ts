/** Parser of NDJSON: one JSON object per line. */

import { ConnectionCut } from '../errors.ts';

/** Parses complete lines one by one. */
export function* parseLines(text: string): Generator<unknown> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    if (end === -1) throw truncated();
    yield JSON.parse(text.slice(start, end));
    start = end + 1;
  }
}

/** Parses lines as they arrive. Holds one chunk and one incomplete line at most. */
export async function* parseLineStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) yield* parseLines(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  }
  // A proxy may end a truncated response without an error.
  if (rest + decoder.decode() !== '') throw truncated();
}

const truncated = (): ConnectionCut =>
  new ConnectionCut('The response ends in the middle of a line.');
