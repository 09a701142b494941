/**
 * Finds the exception that a server writes into a response that has already started.
 *
 * By then the status is 200, so the server appends a block with the exception and closes the connection. The last
 * bytes may be this block, so they are held back until more arrive or the response is complete.
 */

import { EngineFailure, failureOf } from '../engine.ts';

/** Bytes held back at the end of a body: enough for a server's longest exception with its markers. */
export const HELD_BACK = 16 * 1024 + 1024;

const MARKER = '__exception__';

/** The body without the exception, which is thrown instead. `tag` is from the header of the response. */
export async function* withoutException(
  body: AsyncIterable<Buffer>,
  tag: string | undefined,
): AsyncGenerator<Buffer> {
  const held: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      held.push(chunk);
      length += chunk.length;
      for (let first = held[0]; first && length - first.length >= HELD_BACK; first = held[0]) {
        held.shift();
        length -= first.length;
        yield first;
      }
    }
  } catch (cause) {
    throw (
      exceptionIn(held, tag) ?? new EngineFailure('The connection to the server broke.', { cause })
    );
  }
  const exception = exceptionIn(held, tag);
  if (exception !== undefined) throw exception;
  yield* held;
}

function exceptionIn(held: readonly Buffer[], tag: string | undefined): EngineFailure | undefined {
  if (tag === undefined) return undefined;
  const end = Buffer.concat(held);
  const at = end.lastIndexOf(`${MARKER}\r\n${tag}`);
  if (at < 0) return undefined;
  const [message = ''] = end
    .subarray(at + MARKER.length + tag.length + 2)
    .toString()
    .trim()
    .split(/\r?\n/, 1);
  return failureOf(new Error(message));
}
