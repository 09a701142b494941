import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocalDownloadLimit } from '../../src/limits/local-download-limit.ts';
import { requestLimit } from '../../src/limits/request-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('requests are counted, and refused beyond the limit', async () => {
  const requests = requestLimit(2);
  expect(await requests.remaining('one')).toEqual({ limit: 2, remaining: 2, resetSeconds: 0 });
  const counted = [await requests.count('one'), await requests.count('one')];
  expect(counted.map(({ remaining, isWithin }) => [remaining, isWithin])).toEqual([
    [1, true],
    [0, true],
  ]);
  expect(await requests.count('one')).toMatchObject({ remaining: 0, isWithin: false });
});

test('the limit is reset a minute after the first request, also if requests were refused', async () => {
  const requests = requestLimit(1);
  expect(await requests.count('one')).toMatchObject({ isWithin: true, resetSeconds: 60 });
  for (let second = 1; second < 60; second += 1) {
    vi.advanceTimersByTime(1000);
    expect(await requests.count('one')).toMatchObject({
      isWithin: false,
      resetSeconds: 60 - second,
    });
  }
  vi.advanceTimersByTime(1000);
  expect(await requests.count('one')).toMatchObject({ isWithin: true, resetSeconds: 60 });
});

test('each principal has its own count', async () => {
  const requests = requestLimit(1);
  await requests.count('one');
  expect(await requests.count('One')).toMatchObject({ isWithin: true });
  expect(await requests.count('one ')).toMatchObject({ isWithin: true });
  expect(await requests.count('one')).toMatchObject({ isWithin: false });
});

test('a released slot can be taken again, but releasing twice frees only one', async () => {
  const downloads = new LocalDownloadLimit(2);
  const [first, second] = [await downloads.acquire('one'), await downloads.acquire('one')];
  expect([first?.remaining, second?.remaining]).toEqual([1, 0]);
  expect(await downloads.acquire('one')).toBeUndefined();
  expect(await downloads.acquire('other')).toBeDefined();
  first?.release();
  first?.release();
  expect(await downloads.remaining('one')).toEqual({ limit: 2, remaining: 1 });
  expect(await downloads.acquire('one')).toBeDefined();
  expect(await downloads.acquire('one')).toBeUndefined();
});
