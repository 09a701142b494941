import { expect, test } from 'vitest';
import {
  HELD_BACK,
  withoutException,
} from '../../../src/engine/clickhouse/mid-stream-exception.ts';
import { failureOf } from '../../../src/engine/engine.ts';

const TAG = 'a1b2c3d4e5f6a7b8';

const ROWS = 'row;'.repeat(HELD_BACK / 2);

/** An exception, as a server writes it after the rows that it has sent. */
const EXCEPTION = `__exception__\r\n${TAG}\r\nCode: 395. DB::Exception: A fault. (FUNCTION_THROW_IF)\n54 ${TAG}\r\n__exception__\r\n`;

const WHOLE = Buffer.from(ROWS + EXCEPTION);

/** A body in chunks. If its end is missing, the connection breaks after the last chunk. */
async function* bodyOf(bytes: Buffer, isWhole: boolean) {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
  if (!isWhole) throw new Error('terminated');
}

/** The bytes of a read, and its error. */
async function readingOf(body: AsyncIterable<Buffer>) {
  let text = '';
  try {
    for await (const block of withoutException(body, TAG)) text += block;
    return { text, error: undefined };
  } catch (error) {
    return { text, error };
  }
}

test('a response with an exception is never complete, wherever its end is cut', async () => {
  for (let length = ROWS.length - 50; length <= WHOLE.length; length += 1) {
    const isWhole = length === WHOLE.length;
    const { text, error } = await readingOf(bodyOf(WHOLE.subarray(0, length), isWhole));
    expect(error, `after ${length} bytes`).toMatchObject({ name: 'EngineFailure' });
    expect(text.length, `after ${length} bytes`).toBeGreaterThan(0);
    expect(ROWS.startsWith(text), `after ${length} bytes`).toBe(true);
  }
  const { error } = await readingOf(bodyOf(WHOLE, true));
  expect(error).toMatchObject({ number: 395 });
});

test('a response that ends after its last row is complete, also with the text of an exception', async () => {
  const other = Buffer.from(ROWS + EXCEPTION.replaceAll(TAG, 'another'));
  for (const body of [Buffer.from(ROWS), other]) {
    expect(await readingOf(bodyOf(body, true))).toEqual({
      text: body.toString(),
      error: undefined,
    });
  }
});

test.each([
  [
    'Attempt to read after eof: while receiving packet from node-2:9000, 10.0.0.2. (ATTEMPT_TO_READ_AFTER_EOF)',
    true,
  ],
  [
    'Attempt to read after EOF: While executing ParquetBlockInputFormat. (ATTEMPT_TO_READ_AFTER_EOF)',
    false,
  ],
])('the error 32 with "%s" may disappear after another attempt: %s', (text, isTransient) => {
  expect(failureOf(new Error(`Code: 32. DB::Exception: ${text}`))).toMatchObject({ isTransient });
});
