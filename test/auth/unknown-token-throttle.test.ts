import { expect, test } from 'vitest';
import type { TokenRecord } from '../../src/auth/token-record.ts';
import { throttleUnknownTokens } from '../../src/auth/unknown-token-throttle.ts';

const RECORD: TokenRecord = {
  id: 'known',
  role: 'admin',
  publisherIds: [],
  programIds: [],
  locale: undefined,
  name: undefined,
  createdAt: new Date(0),
  expiresAt: undefined,
  revokedAt: undefined,
};

/** A lookup that knows one token, and whose test decides when it returns. */
function slowLookup() {
  const open: (() => void)[] = [];
  let most = 0;
  let running = 0;
  const find = throttleUnknownTokens(async (hash) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => open.push(resolve));
    running -= 1;
    if (hash === 'broken') throw new Error('The database does not answer.');
    return hash === 'known' ? RECORD : undefined;
  });
  const answerAll = async () => {
    for (let turn = 0; turn < 1000; turn += 1) {
      open.shift()?.();
      await Promise.resolve();
    }
  };
  return { find, open, answerAll, most: () => most };
}

test('two unknown tokens are looked up at a time, and all of them in the end', async () => {
  const { find, answerAll, most } = slowLookup();
  const found = Promise.all(Array.from({ length: 100 }, async (_, at) => await find(`${at}`)));
  await answerAll();
  expect(await found).toEqual(Array(100).fill(undefined));
  expect(most()).toBe(2);
});

test('a known token does not wait for unknown tokens', async () => {
  const { find, open, answerAll } = slowLookup();
  const first = find('known');
  await answerAll();
  expect(await first).toBe(RECORD);
  const unknown = Array.from({ length: 50 }, async (_, at) => await find(`${at}`));
  await expect.poll(() => open).toHaveLength(2);
  const again = find('known');
  expect(open).toHaveLength(3);
  open.pop()?.();
  expect(await again).toBe(RECORD);
  await answerAll();
  await Promise.all(unknown);
});

test('a lookup is refused as busy when too many wait', async () => {
  const { find, answerAll } = slowLookup();
  const all = Promise.allSettled(Array.from({ length: 300 }, async (_, at) => await find(`${at}`)));
  await answerAll();
  const refused = (await all).filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(98);
  expect(refused[0]).toMatchObject({ reason: { code: 'busy' } });
});

test('a failed lookup lets the next one start', async () => {
  const { find, answerAll } = slowLookup();
  const broken = Promise.allSettled([find('broken'), find('broken'), find('broken')]);
  const known = find('known');
  await answerAll();
  expect(await known).toBe(RECORD);
  expect((await broken).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
});
