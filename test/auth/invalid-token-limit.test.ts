import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AttemptBudget, networkOf } from '../../src/auth/attempt-budget.ts';
import { limitInvalidTokens } from '../../src/auth/invalid-token-limit.ts';
import type { FindToken } from '../../src/auth/token-record.ts';
import { RECORD, refusalOf } from './token-fixtures.ts';

const LIMIT = 5;
const HERE = '192.0.2.1';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A lookup in a database with all hashes that begin with `known`. Only `known before` is loaded at the start. */
async function limitedLookup(limit = LIMIT) {
  const lookUp = vi.fn<FindToken>(async (hash) => (hash.startsWith('known') ? RECORD : undefined));
  const loadHashes = vi.fn(async () => ['known before']);
  const beforeRefusal = vi.fn(async () => undefined);
  const budget = new AttemptBudget(limit, beforeRefusal);
  const find = await limitInvalidTokens(lookUp, { budget, loadHashes });
  const sendUnknown = async (count: number, address = HERE) =>
    await Promise.allSettled(
      Array.from({ length: count }, async (_, at) => await find(`unknown ${at}`, address)),
    );
  return { find, lookUp, loadHashes, beforeRefusal, sendUnknown };
}

test('an address may send unknown tokens up to the limit per minute, even at once', async () => {
  const { find, lookUp, beforeRefusal, sendUnknown } = await limitedLookup();
  const outcomes = await sendUnknown(20);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMIT);
  expect(lookUp).toHaveBeenCalledTimes(LIMIT);
  expect(beforeRefusal).toHaveBeenCalledTimes(20 - LIMIT);
  expect(await refusalOf(() => find('another', HERE))).toBe('too_many_invalid_tokens');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await find('another', HERE)).toBeUndefined();
});

test('a token that was known at the start is never refused', async () => {
  const { find, sendUnknown } = await limitedLookup();
  await sendUnknown(20);
  expect(await find('known before', HERE)).toBe(RECORD);
});

test('a valid token does not count, and is known from then on', async () => {
  const { find, sendUnknown } = await limitedLookup();
  for (let at = 0; at < 20; at += 1) expect(await find('known later', HERE)).toBe(RECORD);
  await sendUnknown(20);
  expect(await find('known later', HERE)).toBe(RECORD);
});

test('a token created during a flood is known a few seconds later', async () => {
  const { find, loadHashes, sendUnknown } = await limitedLookup();
  await sendUnknown(20);
  expect(loadHashes).toHaveBeenCalledTimes(1);
  loadHashes.mockResolvedValue(['known now']);
  expect(await refusalOf(() => find('known now', HERE))).toBe('too_many_invalid_tokens');
  await vi.advanceTimersByTimeAsync(5000);
  expect(await refusalOf(() => find('known now', HERE))).toBe('too_many_invalid_tokens');
  await vi.advanceTimersByTimeAsync(0);
  expect(await find('known now', HERE)).toBe(RECORD);
  expect(loadHashes).toHaveBeenCalledTimes(2);
});

test('a clock that is set back does not delay the next load of known tokens', async () => {
  const { loadHashes, sendUnknown } = await limitedLookup();
  await sendUnknown(20);
  vi.setSystemTime(-3_600_000);
  await vi.advanceTimersByTimeAsync(5000);
  await sendUnknown(1);
  expect(loadHashes).toHaveBeenCalledTimes(2);
});

test('a lookup that the database does not answer does not count', async () => {
  const { lookUp, sendUnknown } = await limitedLookup();
  lookUp.mockRejectedValue(new Error('down'));
  for (let round = 0; round < 4; round += 1) {
    const outcomes = await sendUnknown(LIMIT);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { message: 'down' } });
  }
  lookUp.mockResolvedValue(undefined);
  const outcomes = await sendUnknown(2 * LIMIT);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMIT);
});

test('another address is not affected', async () => {
  const { find, sendUnknown } = await limitedLookup();
  await sendUnknown(20);
  expect(await find('unknown', '192.0.2.2')).toBeUndefined();
});

test('the refusal has Retry-After', async () => {
  const { find, sendUnknown } = await limitedLookup();
  await sendUnknown(20);
  await vi.advanceTimersByTimeAsync(20_000);
  await expect(find('another', HERE)).rejects.toMatchObject({ headers: { 'retry-after': '40' } });
});

test('without a limit every token is looked up', async () => {
  const { lookUp, sendUnknown } = await limitedLookup(0);
  await sendUnknown(20);
  expect(lookUp).toHaveBeenCalledTimes(20);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
