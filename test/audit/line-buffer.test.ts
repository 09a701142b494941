import { expect, test } from 'vitest';
import { type LineBatch, LineBuffer } from '../../src/audit/writing/line-buffer.ts';
import { fc } from '../support/run/properties.ts';

/** Smaller and larger than a chunk. */
const batchSizes = fc.integer({ min: 1, max: 1024 * 1024 });

const linesOf = ({ parts }: LineBatch): readonly string[] =>
  Buffer.concat(parts).toString().split('\n').slice(0, -1);

interface Line {
  readonly letter: string;
  readonly length: number;
}

const lines = fc.array(
  fc.record({ letter: fc.constantFrom('a', 'é', '\u{1f600}'), length: fc.nat(100_000) }),
  { maxLength: 6 },
);

/** Lines to add, and lines to add while a batch is written. It fails or succeeds. */
const rounds = fc.array(fc.record({ before: lines, meanwhile: lines, isWritten: fc.boolean() }), {
  minLength: 1,
  maxLength: 12,
});

test('batches have the first lines in order, also if lines are added while a batch is written', () => {
  fc.assert(
    fc.property(rounds, batchSizes, (all, size) => {
      const buffer = new LineBuffer({ capacity: Number.POSITIVE_INFINITY, batchSize: size });
      let expected: string[] = [];
      const add = (added: readonly Line[]) => {
        for (const { letter, length } of added) {
          const line = letter.repeat(length);
          expected.push(line);
          buffer.add(line);
        }
      };
      for (const { before, meanwhile, isWritten } of all) {
        add(before);
        const batch = buffer.batch();
        add(meanwhile);
        expect(linesOf(batch)).toEqual(expected.slice(0, batch.count));
        const bytes = Buffer.concat(batch.parts).length;
        expect(bytes <= size || batch.count === 1).toBe(true);
        expect(batch.count > 0).toBe(expected.length > meanwhile.length);
        if (isWritten) {
          buffer.remove(batch);
          expected = expected.slice(batch.count);
        }
        expect(buffer.count).toBe(expected.length);
        expect(buffer.bytes).toBe(Buffer.byteLength(expected.map((line) => `${line}\n`).join('')));
      }
      const rest: string[] = [];
      while (buffer.count > 0) {
        const batch = buffer.batch();
        rest.push(...linesOf(batch));
        buffer.remove(batch);
      }
      expect(rest).toEqual(expected);
    }),
  );
});

test('the memory of removed lines is freed at once', () => {
  const buffer = new LineBuffer({ capacity: 1000, batchSize: 1000 });
  buffer.add('one');
  const batch = buffer.batch();
  buffer.remove(batch);
  expect(batch.parts.map(({ length }) => length)).toEqual([0]);
});

test('a full buffer takes a line only if there is room for it and its line break', () => {
  const buffer = new LineBuffer({ capacity: 10, batchSize: 10 });
  expect(['four', 'é1234', 'four', ''].map((line) => buffer.add(line))).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(linesOf(buffer.batch())).toEqual(['four', 'four']);
});
