import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeWithNewContext, zstdFrameDecoder } from '../../src/months/rows/frame-decoder.ts';

const textOf = (length: number) =>
  Buffer.from('0123456789 abc '.repeat(length)).subarray(0, length);
const reusing = zstdFrameDecoder();

test('this version of Node.js lets the decoder use one zstd context for all frames', () => {
  expect(reusing).not.toBe(decodeWithNewContext);
});

describe.each([
  ['one context', reusing],
  ['a new context each', decodeWithNewContext],
])('frames with %s', (_, decode) => {
  const decoded = (frame: Buffer, size: number) => {
    const target = Buffer.alloc(size);
    decode(frame, target);
    return target;
  };
  const whole = (length: number) => decoded(zstdCompressSync(textOf(length)), length);

  test('are decompressed one after the other, whatever their length', () => {
    for (const length of [1, 50_000, 3, 1_000_000, 200]) {
      expect(whole(length)).toEqual(textOf(length));
    }
  });

  test('of another size, damaged or cut are refused, and the next ones are decompressed', () => {
    const frame = zstdCompressSync(textOf(40_000));
    const damaged = Buffer.from(frame);
    damaged.fill(0xff, 0, 20);
    const wrong: readonly [Buffer, number][] = [
      [frame, 39_999],
      [frame, 40_001],
      [damaged, 40_000],
      [frame.subarray(0, -10), 40_000],
      [Buffer.concat([frame, frame]), 40_000],
    ];
    for (const [bytes, size] of wrong) {
      expect(() => decoded(bytes, size)).toThrow();
      expect(whole(100)).toEqual(textOf(100));
    }
  });
});
