import { randomBytes } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  encodeWithNewContext,
  targetSize,
  zstdFrameEncoder,
} from '../../src/months/rows/frame-encoder.ts';

const reusing = zstdFrameEncoder();

test('this version of Node.js lets the encoder use one zstd context for all frames', () => {
  expect(reusing).not.toBe(encodeWithNewContext);
});

describe.each([
  ['one context', reusing],
  ['a new context each', encodeWithNewContext],
])('frames with %s', (_, encode) => {
  const encoded = (rows: Buffer, size = targetSize(rows.length)) => {
    const target = Buffer.alloc(size);
    return target.subarray(0, encode(rows, target));
  };
  const whole = (rows: Buffer) => zstdDecompressSync(encoded(rows)).equals(rows);

  test('are compressed one after the other, whatever their length and content', () => {
    for (const length of [1, 50_000, 3, 1_000_000, 200]) {
      expect(whole(Buffer.alloc(length, '0123456789 abc '))).toBe(true);
      expect(whole(randomBytes(length))).toBe(true);
    }
  });

  test('of compressible rows are smaller than the rows', () => {
    expect(encoded(Buffer.alloc(50_000, '0123456789 abc ')).length).toBeLessThan(1000);
  });

  test('that do not fit are refused, and the next ones are compressed', () => {
    const rows = randomBytes(10_000);
    for (const size of [0, 100, 9_000]) {
      expect(() => encoded(rows, size)).toThrow(`more than ${size} bytes`);
      expect(whole(rows)).toBe(true);
    }
  });
});
