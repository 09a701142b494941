import { expect, test } from 'vitest';
import { isCalendarDate, startOfDay, timeZoneNamed } from '../../src/contract/query/calendar.ts';
import { fc, runCount } from '../support/run/properties.ts';
import { firstInstantOf, localTimeAt } from './wall-clock.ts';

const HOUR = 3600;

const hoursOf = (date: string, zone: string): number =>
  (startOfDay(date, zone, 1) - startOfDay(date, zone)) / HOUR;

test.each([
  ['UTC', '2026-01-01', '2026-01-01T00:00:00Z'],
  ['Europe/Paris', '2026-01-01', '2025-12-31T23:00:00Z'],
  ['Europe/Paris', '2026-07-01', '2026-06-30T22:00:00Z'],
  ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00Z'],
  ['Australia/Lord_Howe', '2026-07-01', '2026-06-30T13:30:00Z'],
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
  ['Africa/Cairo', '2023-04-28', '2023-04-27T22:00:00Z'],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z'],
])('in %s, %s begins at %s', (zone, date, instant) => {
  expect(startOfDay(date, zone)).toBe(Date.parse(instant) / 1000);
});

test.each([
  ['America/Sao_Paulo', '2018-11-04'],
  ['Africa/Cairo', '2024-04-26'],
  ['Asia/Beirut', '2022-03-27'],
])('in %s, where the clock skips midnight on %s, the day begins at one', (zone, date) => {
  expect(localTimeAt(zone, startOfDay(date, zone))).toBe(`${date} 01:00:00`);
});

test.each([
  [24, 'Europe/Paris', '2026-01-01'],
  [23, 'Europe/Paris', '2026-03-29'],
  [25, 'Europe/Paris', '2026-10-25'],
  [23, 'America/Sao_Paulo', '2018-11-04'],
  [25, 'America/Sao_Paulo', '2018-02-17'],
  [23.5, 'Australia/Lord_Howe', '2024-10-06'],
  [24.5, 'Australia/Lord_Howe', '2024-04-07'],
  [23.75, 'Asia/Kathmandu', '1986-01-01'],
  [0, 'Pacific/Apia', '2011-12-30'],
])('a day has %d hours in %s on %s', (hours, zone, date) => {
  expect(hoursOf(date, zone)).toBe(hours);
});

const ZONES = [
  'UTC',
  'Europe/Paris',
  'America/Sao_Paulo',
  'America/St_Johns',
  'America/Havana',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'Antarctica/Casey',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
];

const day = fc
  .integer({ min: Date.UTC(1970, 0, 2) / 86_400_000, max: Date.UTC(2105, 11, 31) / 86_400_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));

test('a day begins at the first instant at which the clock of its time zone shows it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), day, (zone, date) => {
      expect(startOfDay(date, zone)).toBe(firstInstantOf(date, zone));
    }),
    { numRuns: runCount(200) },
  );
});

test('a day ends where the next begins', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), day, (zone, date) => {
      const next = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
      expect(startOfDay(date, zone, 1)).toBe(startOfDay(next, zone));
    }),
  );
});

test.each(['0000-01-01', '0001-01-01', '1969-12-30'])(
  '%s begins before the range of the tables, and is clamped to its first instant',
  (date) => {
    for (const zone of ZONES) expect(startOfDay(date, zone)).toBe(0);
  },
);

test.each(['2107-01-01', '9999-12-31'])(
  '%s begins after the range of the tables, and is clamped to its last instant',
  (date) => {
    for (const zone of ZONES) expect(startOfDay(date, zone, 1)).toBe(2 ** 32 - 1);
  },
);

test('west of Greenwich, the last day of 1969 ends within the range of the tables', () => {
  expect(startOfDay('1969-12-31', 'America/New_York', 1)).toBe(5 * HOUR);
});

test('a date has ten characters and names an existing day', () => {
  expect(isCalendarDate('2024-02-29')).toBe(true);
  expect(isCalendarDate('2026-02-29')).toBe(false);
  expect(isCalendarDate('2026-02-28T00:00')).toBe(false);
});

test.each([
  ['Europe/Paris', 'Europe/Paris'],
  ['europe/paris', 'Europe/Paris'],
  ['us/eastern', 'US/Eastern'],
  ['UTC', 'UTC'],
  ['Utc', 'UTC'],
  ['+02:00', undefined],
  ['Europe/Atlantis', undefined],
  ['', undefined],
  [' UTC', undefined],
])('%j names the time zone %s', (text, zone) => {
  expect(timeZoneNamed(text)).toBe(zone);
});
