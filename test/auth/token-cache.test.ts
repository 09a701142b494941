import { expect, test, vi } from 'vitest';
import { cacheTokens } from '../../src/auth/token-cache.ts';
import type { FindToken } from '../../src/auth/token-record.ts';
import { RECORD } from './token-fixtures.ts';

const MEMORY = 3000;
const CAPACITY = 10_000;

/** A lookup that is remembered, on a clock that the test sets. */
function memoryOf(lookUp: FindToken = async () => RECORD) {
  const clock = { now: 1_000_000 };
  const find = vi.fn<FindToken>(lookUp);
  return { clock, find, lookup: cacheTokens(find, () => clock.now) };
}

test('a token is looked up once within three seconds', async () => {
  const { clock, find, lookup } = memoryOf();
  expect(await lookup('hash')).toBe(RECORD);
  clock.now += MEMORY - 1;
  expect(await lookup('hash')).toBe(RECORD);
  expect(find.mock.calls).toEqual([['hash']]);
});

test('after three seconds it is looked up again, so that a revocation is soon seen', async () => {
  const { clock, find, lookup } = memoryOf();
  await lookup('hash');
  const revokedAt = new Date();
  find.mockResolvedValue({ ...RECORD, revokedAt });
  clock.now += MEMORY;
  expect(await lookup('hash')).toMatchObject({ revokedAt });
  expect(find).toHaveBeenCalledTimes(2);
});

test('using a token does not make its memory last', async () => {
  const { clock, find, lookup } = memoryOf();
  for (let second = 0; second <= 5; second += 1) {
    await lookup('hash');
    clock.now += 1000;
  }
  expect(find).toHaveBeenCalledTimes(2);
});

test('the memory begins with the question, not with a slow answer', async () => {
  const slow = Promise.withResolvers<typeof RECORD>();
  const { clock, find, lookup } = memoryOf(() => slow.promise);
  const first = lookup('hash');
  clock.now += MEMORY;
  slow.resolve(RECORD);
  await first;
  await lookup('hash');
  expect(find).toHaveBeenCalledTimes(2);
});

test('tokens that nobody knows are remembered as well', async () => {
  const { find, lookup } = memoryOf(async () => undefined);
  expect(await lookup('hash')).toBeUndefined();
  expect(await lookup('hash')).toBeUndefined();
  expect(find).toHaveBeenCalledTimes(1);
});

test('concurrent lookups of one token are one, of two tokens two', async () => {
  const { find, lookup } = memoryOf(async (hash) => ({ ...RECORD, id: hash }));
  const records = await Promise.all(['a', 'b', 'a', 'a', 'b'].map(lookup));
  expect(records.map((record) => record?.id)).toEqual(['a', 'b', 'a', 'a', 'b']);
  expect(find.mock.calls).toEqual([['a'], ['b']]);
});

test('a failure is told to all who wait, and not remembered', async () => {
  const { find, lookup } = memoryOf();
  find.mockRejectedValueOnce(new Error('The database is away.'));
  const both = await Promise.allSettled([lookup('hash'), lookup('hash')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(find).toHaveBeenCalledTimes(1);
  expect(await lookup('hash')).toBe(RECORD);
});

test('a failure that comes late leaves the newer answer remembered', async () => {
  const slow = Promise.withResolvers<typeof RECORD>();
  const { clock, find, lookup } = memoryOf();
  find.mockReturnValueOnce(slow.promise);
  const first = lookup('hash');
  clock.now += MEMORY;
  await lookup('hash');
  slow.reject(new Error('The database took too long.'));
  await expect(first).rejects.toThrow('too long');
  await lookup('hash');
  expect(find).toHaveBeenCalledTimes(2);
});

test('at most ten thousand tokens are remembered, and the oldest is forgotten first', async () => {
  const { find, lookup } = memoryOf();
  for (let at = 0; at <= CAPACITY; at += 1) await lookup(`hash ${at}`);
  expect(find).toHaveBeenCalledTimes(CAPACITY + 1);
  await lookup('hash 1');
  await lookup(`hash ${CAPACITY}`);
  expect(find).toHaveBeenCalledTimes(CAPACITY + 1);
  await lookup('hash 0');
  expect(find).toHaveBeenCalledTimes(CAPACITY + 2);
});

test('the clock is the machine’s where no other is given', async () => {
  vi.useFakeTimers();
  try {
    const find = vi.fn<FindToken>(async () => RECORD);
    const lookup = cacheTokens(find);
    await lookup('hash');
    vi.advanceTimersByTime(MEMORY);
    await lookup('hash');
    expect(find).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});
