import { afterEach, expect, test } from 'vitest';
import { readSince } from '../../src/cli/inputs/read-since.ts';
import {
  clearZoneRules,
  secondsOfWallClock,
  setZoneRules,
  startOfDay,
} from '../../src/contract/query/calendar.ts';
import { cachedStartOfDay } from '../../src/plan/day-start.ts';

const ZONE = 'Europe/Paris';
const HOUR = 3600;

const at = (instant: string): number => Date.parse(instant) / 1000;

/** Invented: 5 hours ahead of UTC, and 7 hours during the July of 2026. */
const INVENTED = [
  { from: 0, seconds: 5 * HOUR },
  { from: at('2026-06-30T19:00:00Z'), seconds: 7 * HOUR },
  { from: at('2026-07-31T19:00:00Z'), seconds: 5 * HOUR },
];

afterEach(clearZoneRules);

test('days and local times follow the rules that were set, not those of Node.js', () => {
  setZoneRules(ZONE, INVENTED);
  expect(startOfDay('2026-01-01', ZONE)).toBe(at('2025-12-31T19:00:00Z'));
  expect(startOfDay('2026-07-02', ZONE)).toBe(at('2026-07-01T17:00:00Z'));
  expect(secondsOfWallClock('2026-07-15 12:00:00', ZONE)).toEqual([at('2026-07-15T05:00:00Z')]);
  expect(secondsOfWallClock('2026-07-01 01:00:00', ZONE)).toEqual([]);
  expect(secondsOfWallClock('2026-08-01 01:00:00', ZONE)).toEqual([
    at('2026-07-31T18:00:00Z'),
    at('2026-07-31T20:00:00Z'),
  ]);
});

test.each([
  ['2026-07-15 12:00:00.5', '2026-07-15T05:00:00Z', '2026-07-15 12:00:00'],
  ['2026-07-01 01:00', '2026-06-30T19:00:00Z', '2026-07-01 02:00:00'],
  ['2026-08-01 01:00', '2026-07-31T18:00:00Z', '2026-08-01 00:00:00'],
])('a time to start from, such as %s, follows these rules', (text, instant, clock) => {
  setZoneRules(ZONE, INVENTED);
  expect(readSince(text, ZONE)).toEqual({ instant: at(instant), clock });
});

test('the cache of days follows each change of the rules', () => {
  const day = () => cachedStartOfDay('2026-01-01', ZONE);
  expect(day()).toBe(at('2025-12-31T23:00:00Z'));
  setZoneRules(ZONE, INVENTED);
  expect(day()).toBe(at('2025-12-31T19:00:00Z'));
  clearZoneRules();
  expect(day()).toBe(at('2025-12-31T23:00:00Z'));
});
