import { expect, test } from 'vitest';
import { type ProcessFrame, tested, withOneContext } from '../../src/months/rows/zstd-context.ts';

const nothing = Buffer.alloc(0);

test('a context that fails its test, or throws in it, is not used', () => {
  const process: ProcessFrame = () => 1;
  expect(tested(process, () => true)).toBe(process);
  expect(tested(process, () => false)).toBeUndefined();
  expect(
    tested(process, () => {
      throw new Error('other internal properties');
    }),
  ).toBeUndefined();
});

test('without a context, each frame gets a new one', () => {
  const withNewContext: ProcessFrame = () => 2;
  expect(withOneContext(() => undefined, withNewContext)).toBe(withNewContext);
});

test('a context is used until a frame fails, and then replaced', () => {
  const contexts: ProcessFrame[] = [
    (input) => {
      if (input === nothing) throw new Error('refused');
      return 1;
    },
    () => 2,
  ];
  const process = withOneContext(
    () => contexts.shift(),
    () => 3,
  );
  const frame = Buffer.from('frame');
  expect([process(frame, nothing), process(frame, nothing)]).toEqual([1, 1]);
  expect(() => process(nothing, nothing)).toThrow('refused');
  expect([process(frame, nothing), process(frame, nothing)]).toEqual([2, 2]);
});
