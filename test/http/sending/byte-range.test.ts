import { expect, test } from 'vitest';
import { byteRange } from '../../../src/http/sending/byte-range.ts';
import { fc, runCount } from '../../support/run/properties.ts';

const size = fc.integer({ min: 1, max: 1000 });
const place = fc.oneof(fc.nat(1200), fc.maxSafeNat());

test('a range from a first to a last byte is limited to the bytes of the file', () => {
  fc.assert(
    fc.property(size, place, place, (length, one, other) => {
      const [first, last] = one < other ? [one, other] : [other, one];
      expect(byteRange(`bytes=${first}-${last}`, length)).toEqual(
        first < length ? { first, last: Math.min(last, length - 1) } : 'unsatisfiable',
      );
    }),
    { numRuns: runCount(500) },
  );
});

test('a range without a last byte goes to the end, and one without a first byte has the last bytes', () => {
  fc.assert(
    fc.property(size, place, (length, number) => {
      const last = length - 1;
      expect(byteRange(`bytes=${number}-`, length)).toEqual(
        number < length ? { first: number, last } : 'unsatisfiable',
      );
      expect(byteRange(`bytes=-${number}`, length)).toEqual(
        number > 0 ? { first: Math.max(0, length - number), last } : 'unsatisfiable',
      );
    }),
    { numRuns: runCount(500) },
  );
});

test('any header gives a range within the file, or the whole file, or is unsatisfiable', () => {
  const text = fc.array(fc.constantFrom('bytes=', '-', ',', '0', '9', ' ', 'x', '1e3', '٣'));
  fc.assert(
    fc.property(text, size, (pieces, length) => {
      const range = byteRange(pieces.join(''), length);
      if (typeof range === 'string') return;
      expect(0 <= range.first && range.first <= range.last && range.last < length).toBe(true);
    }),
    { numRuns: runCount(1000) },
  );
});

test.each([
  ['', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=5-3', 'whole'],
  ['bytes=0-1,4-5', 'whole'],
  ['rows=0-1', 'whole'],
  ['bytes=+1-2', 'whole'],
  ['bytes=0x1-2', 'whole'],
  ['BYTES=1-2', { first: 1, last: 2 }],
  ['bytes= 1-2', { first: 1, last: 2 }],
  ['bytes=99999999999999999999-', 'unsatisfiable'],
  ['bytes=0-99999999999999999999', { first: 0, last: 9 }],
])('of a file with 10 bytes, "%s" is %o', (header, range) => {
  expect(byteRange(header, 10)).toEqual(range);
});
