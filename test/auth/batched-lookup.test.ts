import { expect, test } from 'vitest';
import { batchLookups } from '../../src/auth/batched-lookup.ts';
import type { TokenRecord } from '../../src/auth/token-record.ts';
import { RECORD, refusalOf } from './token-fixtures.ts';

/** A lookup of several tokens that returns when the test says so. */
function slowLookup() {
  const statements: { hashes: readonly string[]; answer: () => void; fail: () => void }[] = [];
  const find = batchLookups(async (hashes) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, TokenRecord>>();
    statements.push({
      hashes,
      answer: () => resolve(new Map(hashes.includes('known') ? [['known', RECORD]] : [])),
      fail: () => reject(new Error('The database does not answer.')),
    });
    return await promise;
  });
  /** Waits for the statement of this number and answers it. */
  const answer = async (number: number) => {
    await expect.poll(() => statements.length).toBe(number + 1);
    statements[number]?.answer();
  };
  return { find, statements, answer };
}

test('tokens that arrive during a statement share the next one, each once', async () => {
  const { find, statements, answer } = slowLookup();
  const first = find('first');
  const others = ['second', 'known', 'second'].map((hash) => find(hash));
  await answer(0);
  await answer(1);
  expect(await first).toBeUndefined();
  expect(await Promise.all(others)).toEqual([undefined, RECORD, undefined]);
  expect(statements.map(({ hashes }) => hashes)).toEqual([['first'], ['second', 'known']]);
});

test('a known token waits for only two statements, even behind 900 unknown tokens', async () => {
  const { find, answer } = slowLookup();
  const unknown = Array.from({ length: 900 }, (_, at) => find(`${at}`));
  const known = find('known');
  await answer(0);
  await answer(1);
  expect(await known).toBe(RECORD);
  await Promise.all(unknown);
});

test('a statement has at most a thousand tokens', async () => {
  const { find, statements, answer } = slowLookup();
  const all = Array.from({ length: 2501 }, (_, at) => find(`${at}`));
  for (let number = 0; number < 4; number += 1) await answer(number);
  expect(await Promise.all(all)).toHaveLength(2501);
  expect(statements.map(({ hashes }) => hashes.length)).toEqual([1, 1000, 1000, 500]);
});

test('a lookup is refused as busy when ten thousand wait', async () => {
  const { find, statements } = slowLookup();
  const waiting = Array.from({ length: 10_001 }, (_, at) => find(`${at}`));
  expect(await refusalOf(() => find('one more'))).toBe('busy');
  expect(statements).toHaveLength(1);
  expect(waiting).toHaveLength(10_001);
});

test('a statement that fails rejects its own lookups only', async () => {
  const { find, statements, answer } = slowLookup();
  const failing = find('first');
  const next = find('known');
  statements[0]?.fail();
  await expect(failing).rejects.toThrow('The database does not answer.');
  await answer(1);
  expect(await next).toBe(RECORD);
});
