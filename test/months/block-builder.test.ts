import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { BlockBuilder } from '../../src/months/rows/block-builder.ts';
import type { RowBlocks } from '../../src/months/rows/row-blocks.ts';
import { rowsIn } from '../../src/months/rows/stored-row.ts';

/** Bytes of the frame, which precedes a row's text. */
const FRAME = 34;

/** A row as the engine writes it. Only the identifier, the text and its length are set; nothing else matters here. */
function rowOf(transactionId: number, text: string): Buffer {
  const frame = Buffer.alloc(FRAME);
  frame.writeUInt32LE(text.length, 0);
  frame.writeUInt32LE(transactionId, 16);
  return Buffer.concat([frame, Buffer.from(text)]);
}

const textsOf = (blocks: RowBlocks): readonly string[] =>
  Array.from(blocks.all(), ({ bytes, textStart, end }) => bytes.toString('utf8', textStart, end));

test('rows are copied whole, even if longer than a block, so that their memory can be reused', () => {
  const texts = Array.from({ length: 2000 }, (_, at) => String(at % 7).repeat(1 + at));
  texts.push('x'.repeat(300_000), 'last');
  const builder = new BlockBuilder();
  for (const [at, text] of texts.entries()) {
    const bytes = rowOf(at, text);
    for (const row of rowsIn(bytes)) builder.add(row);
    bytes.fill(255);
  }
  const blocks = builder.finish();
  expect(blocks.rows).toBe(texts.length);
  expect(textsOf(blocks)).toEqual(texts);
});

test.each([[[10_000]], [[600_000]], [[30_000, 900_000]]])(
  'blocks with texts of %o bytes take hardly more memory than these bytes',
  (sizes) => {
    const builder = new BlockBuilder();
    const texts: string[] = [];
    for (let size = 0, at = 0; size < 3_000_000; size += sizes[at % sizes.length] ?? 0, at += 1) {
      texts.push(randomBytes(sizes[at % sizes.length] ?? 0).toString('base64'));
    }
    for (const [at, text] of texts.entries()) {
      for (const row of rowsIn(rowOf(at, text))) builder.add(row);
    }
    const blocks = builder.finish();
    expect(textsOf(blocks)).toEqual(texts);
    expect(builder.bytes).toBeGreaterThan(2_000_000);
    expect(blocks.bytes).toBeLessThan(1.05 * builder.bytes);
  },
);

test('a month without rows has no blocks', () => {
  expect(new BlockBuilder().finish().rows).toBe(0);
});
