import { expect, test } from 'vitest';
import { demoPlatform } from '../../src/demo/platform/demo-platform.ts';

test('there are about 600 websites, of affiliates with one to four each, and about 40 programs', () => {
  const { affiliates, websites, programs } = demoPlatform();
  expect(Math.abs(websites.length - 600)).toBeLessThan(20);
  expect(Math.abs(programs.length - 40)).toBeLessThan(5);
  const owned = affiliates.flatMap(({ publisherIds }) => publisherIds);
  expect(owned.sort()).toEqual(websites.map(({ id }) => id).sort());
  expect(new Set(owned).size).toBe(websites.length);
  expect(new Set(affiliates.map(({ publisherIds }) => publisherIds.length))).toEqual(
    new Set([1, 2, 3, 4]),
  );
});
