/**
 * The bytes of an answer without anything that is not of it.
 *
 * When a query fails after the server has begun to answer, its status is already 200: the server
 * ends the data with a block that holds the exception and cuts the body. So the last bytes are held
 * back until more come or the body has ended well.
 */

import { EngineFailure, failureOf } from '../engine.ts';

/** The most that the server writes about an exception, with room for its marks. */
export const HELD_BACK = 16 * 1024 + 1024;

const MARK = '__exception__';

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

/** The exception that a server wrote at the end of an answer, if it did. */
function exceptionIn(held: readonly Buffer[], tag: string | undefined): EngineFailure | undefined {
  if (tag === undefined) return undefined;
  const end = Buffer.concat(held);
  const at = end.lastIndexOf(`${MARK}\r\n${tag}`);
  if (at < 0) return undefined;
  const [message = ''] = end
    .subarray(at + MARK.length + tag.length + 2)
    .toString()
    .trim()
    .split(/\r?\n/, 1);
  return failureOf(new Error(message));
}
