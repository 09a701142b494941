import { describe, expect, test } from 'vitest';
import { readRows } from '../../src/mcp/read-rows.ts';

const BOUNDS = { rows: 3, bytes: 100 };

async function* blocksOf(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

describe('the rows of a response', () => {
  test.each([
    ['no text', [], []],
    ['one row', ['{"a":1}\n'], [{ a: 1 }]],
    ['a row without a line end', ['{"a":1}'], [{ a: 1 }]],
    ['rows in pieces', ['{"a"', ':1}\n{"a":', '2}', '\n{"a":3}\n'], [{ a: 1 }, { a: 2 }, { a: 3 }]],
    ['a character in two pieces', ['"'], undefined],
  ])('are read from %s', async (_, texts, rows) => {
    if (rows === undefined) {
      const bytes = Buffer.from('"é"\n');
      const pieces = (async function* () {
        yield bytes.subarray(0, 2);
        yield bytes.subarray(2);
      })();
      expect(await readRows(pieces, BOUNDS)).toEqual({ rows: ['é'], hasMore: false });
      return;
    }
    expect(await readRows(blocksOf(...texts), BOUNDS)).toEqual({ rows, hasMore: false });
  });

  test.each([
    ['more rows than asked for', '1\n2\n3\n4\n', [1, 2, 3]],
    ['more bytes than asked for', `1\n"${'x'.repeat(200)}"\n2\n`, [1]],
    ['a row without an end', `1\n"${'x'.repeat(200)}`, [1]],
  ])('are cut where there are %s', async (_, text, rows) => {
    expect(await readRows(blocksOf(text), BOUNDS)).toEqual({ rows, hasMore: true });
  });

  test('are not read further than their bounds', async () => {
    let blocks = 0;
    const endless = (async function* () {
      for (;;) {
        blocks += 1;
        yield Buffer.from('1\n');
      }
    })();
    await readRows(endless, BOUNDS);
    expect(blocks).toBe(4);
  });

  test('are an error if the response fails', async () => {
    const failing = (async function* () {
      yield Buffer.from('1\n');
      throw new Error('cut');
    })();
    await expect(readRows(failing, BOUNDS)).rejects.toThrow('cut');
  });
});
