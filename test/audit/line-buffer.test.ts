import { expect, test } from 'vitest';
import { type LineBatch, LineBuffer } from '../../src/audit/writing/line-buffer.ts';
import { fc } from '../support/run/properties.ts';

const MAX_BATCH = 1024 * 1024;

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

/** Lines to add, then the size of a batch, and lines to add while the batch is written. It fails or succeeds. */
const rounds = fc.array(
  fc.record({ before: lines, size: fc.nat(MAX_BATCH), meanwhile: lines, isWritten: fc.boolean() }),
  { minLength: 1, maxLength: 12 },
);

test('batches have the first lines in order, also if lines are added while a batch is written', () => {
  fc.assert(
    fc.property(rounds, (all) => {
      const buffer = new LineBuffer(MAX_BATCH);
      let expected: string[] = [];
      const add = (added: readonly Line[]) => {
        for (const { letter, length } of added) {
          const line = letter.repeat(length);
          expected.push(line);
          buffer.add(line);
        }
      };
      for (const { before, size, meanwhile, isWritten } of all) {
        add(before);
        const batch = buffer.batch(size);
        add(meanwhile);
        expect(linesOf(batch)).toEqual(expected.slice(0, batch.count));
        const bytes = Buffer.concat(batch.parts).length;
        expect(bytes <= size || batch.parts.length === 1).toBe(true);
        expect(batch.count > 0).toBe(expected.length > meanwhile.length);
        if (isWritten) {
          buffer.remove(batch);
          expected = expected.slice(batch.count);
        }
        expect(buffer.count).toBe(expected.length);
        expect(buffer.bytes).toBe(Buffer.byteLength(expected.map((line) => `${line}\n`).join('')));
      }
      expect(linesOf(buffer.batch(Number.POSITIVE_INFINITY))).toEqual(expected);
    }),
  );
});

test('the memory of removed lines is freed at once', () => {
  const buffer = new LineBuffer(MAX_BATCH);
  buffer.add('one');
  const batch = buffer.batch(MAX_BATCH);
  buffer.remove(batch);
  expect(batch.parts.map(({ length }) => length)).toEqual([0]);
});
