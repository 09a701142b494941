import { expect, test } from 'vitest';
import { readSince } from '../../src/cli/inputs/read-since.ts';

test.each([
  ['in winter', '2026-01-15T10:00:00Z', 'Europe/Paris', '2026-01-15 11:00:00'],
  [
    'in the hour that occurs twice, the first time',
    '2026-10-25T00:48:00Z',
    'Europe/Paris',
    '2026-10-25 02:00:00',
  ],
  ['in that hour the second time', '2026-10-25T01:48:00Z', 'Europe/Paris', '2026-10-25 02:48:00'],
  [
    'before the hour that is skipped',
    '2026-03-29T00:48:00Z',
    'Europe/Paris',
    '2026-03-29 01:48:00',
  ],
  ['without changes of the clock', '2026-10-25T00:48:00Z', 'UTC', '2026-10-25 00:48:00'],
])('%s, the local time is the earliest at or after the instant', (_, text, zone, clock) => {
  const since = readSince(text, zone);
  expect(since).toEqual({ instant: Date.parse(text) / 1000, clock });
});

test('a fraction of a second is accepted, as programs write it', () => {
  const since = readSince('2026-01-15T10:00:00.900Z', 'UTC');
  expect(since).toEqual({
    instant: Date.UTC(2026, 0, 15, 10) / 1000,
    clock: '2026-01-15 10:00:00',
  });
});
