import { expect, test, vi } from 'vitest';
import { cacheTokens } from '../../src/auth/token-cache.ts';
import type { FindToken } from '../../src/auth/token-record.ts';
import { RECORD } from './token-fixtures.ts';

const TTL = 3000;
const CAPACITY = 10_000;

/** A cached lookup on a clock that the test sets. */
function cachedLookup(lookUp: FindToken = async () => RECORD) {
  const clock = { now: 1_000_000 };
  const find = vi.fn<FindToken>(lookUp);
  const version: { now: number | undefined } = { now: undefined };
  const options = { clock: { now: () => clock.now }, version: () => version.now };
  return { clock, version, find, lookup: cacheTokens(find, options) };
}

test('a token is looked up once within three seconds', async () => {
  const { clock, find, lookup } = cachedLookup();
  expect(await lookup('hash')).toBe(RECORD);
  clock.now += TTL;
  expect(await lookup('hash')).toBe(RECORD);
  expect(find.mock.calls).toEqual([['hash']]);
});

test('after three seconds a token is looked up again, so that a revocation takes effect', async () => {
  const { clock, find, lookup } = cachedLookup();
  await lookup('hash');
  const revokedAt = new Date();
  find.mockResolvedValue({ ...RECORD, revokedAt });
  clock.now += TTL + 1;
  expect(await lookup('hash')).toMatchObject({ revokedAt });
  expect(find).toHaveBeenCalledTimes(2);
});

test('a token is not looked up again while no process can have changed it', async () => {
  const { clock, version, find, lookup } = cachedLookup();
  version.now = 7;
  await lookup('hash');
  clock.now += 1000 * TTL;
  expect(await lookup('hash')).toBe(RECORD);
  expect(find).toHaveBeenCalledTimes(1);
});

test('after a write, a token is looked up again when three seconds have passed', async () => {
  const { clock, version, find, lookup } = cachedLookup();
  version.now = 7;
  await lookup('hash');
  version.now = 8;
  await lookup('hash');
  expect(find).toHaveBeenCalledTimes(1);
  clock.now += TTL + 1;
  await lookup('hash');
  expect(find).toHaveBeenCalledTimes(2);
});

test('a write during a lookup makes its result outdated', async () => {
  const slow = Promise.withResolvers<typeof RECORD>();
  const { clock, version, find, lookup } = cachedLookup(() => slow.promise);
  version.now = 7;
  const first = lookup('hash');
  version.now = 8;
  slow.resolve(RECORD);
  await first;
  clock.now += TTL + 1;
  await lookup('hash');
  expect(find).toHaveBeenCalledTimes(2);
});

test('use does not keep a token in the cache', async () => {
  const { clock, find, lookup } = cachedLookup();
  for (let second = 0; second <= 5; second += 1) {
    await lookup('hash');
    clock.now += 1000;
  }
  expect(find).toHaveBeenCalledTimes(2);
});

test('the three seconds start with the lookup, not with its slow result', async () => {
  const slow = Promise.withResolvers<typeof RECORD>();
  const { clock, find, lookup } = cachedLookup(() => slow.promise);
  const first = lookup('hash');
  clock.now += TTL + 1;
  slow.resolve(RECORD);
  await first;
  await lookup('hash');
  expect(find).toHaveBeenCalledTimes(2);
});

test('unknown tokens are cached too', async () => {
  const { find, lookup } = cachedLookup(async () => undefined);
  expect(await lookup('hash')).toBeUndefined();
  expect(await lookup('hash')).toBeUndefined();
  expect(find).toHaveBeenCalledTimes(1);
});

test('concurrent lookups of the same token share one lookup', async () => {
  const { find, lookup } = cachedLookup(async (hash) => ({ ...RECORD, id: hash }));
  const records = await Promise.all(['a', 'b', 'a', 'a', 'b'].map(lookup));
  expect(records.map((record) => record?.id)).toEqual(['a', 'b', 'a', 'a', 'b']);
  expect(find.mock.calls).toEqual([['a'], ['b']]);
});

test('a failed lookup fails for all callers that wait, and is not cached', async () => {
  const { find, lookup } = cachedLookup();
  find.mockRejectedValueOnce(new Error('The database does not answer.'));
  const both = await Promise.allSettled([lookup('hash'), lookup('hash')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(find).toHaveBeenCalledTimes(1);
  expect(await lookup('hash')).toBe(RECORD);
});

test('a late failure does not remove the result of a newer lookup', async () => {
  const slow = Promise.withResolvers<typeof RECORD>();
  const { clock, find, lookup } = cachedLookup();
  find.mockReturnValueOnce(slow.promise);
  const first = lookup('hash');
  clock.now += TTL + 1;
  await lookup('hash');
  slow.reject(new Error('The database took too long.'));
  await expect(first).rejects.toThrow('too long');
  await lookup('hash');
  expect(find).toHaveBeenCalledTimes(2);
});

test('ten thousand tokens are cached, and the least recently used is removed first', async () => {
  const { find, lookup } = cachedLookup();
  for (let at = 0; at <= CAPACITY; at += 1) await lookup(`hash ${at}`);
  expect(find).toHaveBeenCalledTimes(CAPACITY + 1);
  await lookup('hash 1');
  await lookup(`hash ${CAPACITY}`);
  expect(find).toHaveBeenCalledTimes(CAPACITY + 1);
  await lookup('hash 0');
  expect(find).toHaveBeenCalledTimes(CAPACITY + 2);
});
