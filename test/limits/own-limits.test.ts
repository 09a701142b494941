import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countedRequests } from '../../src/limits/counted-requests.ts';
import { OwnDownloads } from '../../src/limits/own-downloads.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('requests are counted down, and refused when there is none left', async () => {
  const requests = countedRequests(2);
  expect(await requests.left('one')).toEqual({ limit: 2, remaining: 2, resetSeconds: 0 });
  const counted = [await requests.count('one'), await requests.count('one')];
  expect(counted.map(({ remaining, isWithin }) => [remaining, isWithin])).toEqual([
    [1, true],
    [0, true],
  ]);
  expect(await requests.count('one')).toMatchObject({ remaining: 0, isWithin: false });
});

test('a minute after the first request all of them are there again, however many were refused', async () => {
  const requests = countedRequests(1);
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

test('the requests of one are not those of another', async () => {
  const requests = countedRequests(1);
  await requests.count('one');
  expect(await requests.count('One')).toMatchObject({ isWithin: true });
  expect(await requests.count('one ')).toMatchObject({ isWithin: true });
  expect(await requests.count('one')).toMatchObject({ isWithin: false });
});

test('a place is there again when it was given back, and only once', async () => {
  const downloads = new OwnDownloads(2);
  const [first, second] = [await downloads.begin('one'), await downloads.begin('one')];
  expect([first?.remaining, second?.remaining]).toEqual([1, 0]);
  expect(await downloads.begin('one')).toBeUndefined();
  expect(await downloads.begin('other')).toBeDefined();
  first?.free();
  first?.free();
  expect(await downloads.left('one')).toEqual({ limit: 2, remaining: 1 });
  expect(await downloads.begin('one')).toBeDefined();
  expect(await downloads.begin('one')).toBeUndefined();
});
