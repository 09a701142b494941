import { expect, test } from 'vitest';
import { hourlyVolumes } from '../../src/demo/random/hourly-volumes.ts';
import { HOUR, midnightOf } from '../../src/demo/random/wall-clock.ts';
import type { DemoTransaction } from '../../src/demo/transactions/tracking-event.ts';
import { daysBetween, FIRST_DAY, PERIOD, platform, ROWS, shareOf, year } from './demo-year.ts';

/** Transactions per day, on the days for which the condition holds. */
function busynessOf(holds: (day: string) => boolean): number {
  const days = Map.groupBy(year, ({ created_at }) => created_at.slice(0, 10));
  const chosen = [...days].filter(([day]) => holds(day));
  return chosen.reduce((sum, [, rows]) => sum + rows.length, 0) / chosen.length;
}

const weekdayOf = (day: string): number => new Date(day).getUTCDay();

test('working days are busier than weekends, and evenings than nights', () => {
  const isWeekend = (day: string) => weekdayOf(day) % 6 === 0;
  expect(busynessOf((day) => !isWeekend(day))).toBeGreaterThan(1.1 * busynessOf(isWeekend));
  const inHour = (hour: string) =>
    shareOf(year, ({ created_at }) => created_at.startsWith(hour, 11));
  expect(inHour('21')).toBeGreaterThan(5 * inHour('03'));
});

test('the hour that is skipped in March has no transactions', () => {
  const skipped = midnightOf('2026-03-29') + 2 * HOUR;
  const hours = hourlyVolumes({ ...PERIOD, rows: 10 * ROWS }).filter(
    ({ start }) => start === skipped,
  );
  expect(hours.map(({ rows }) => rows)).toEqual([0]);
});

test.each([
  ['the last days of November', '2025-11-24', '2025-11-30'],
  ['the weeks before Christmas', '2025-12-08', '2025-12-21'],
  ['the winter sales', '2026-01-07', '2026-01-20'],
  ['the summer sales', '2026-06-22', '2026-06-28'],
])('%s are busier than October', (_, from, to) => {
  const usual = busynessOf((day) => day >= '2025-10-01' && day < '2025-11-01');
  expect(busynessOf((day) => day >= from && day <= to)).toBeGreaterThan(1.2 * usual);
});

test('the platform grows over the year', () => {
  const autumn = busynessOf((day) => day >= '2025-09-29' && day < '2025-11-10');
  const spring = busynessOf((day) => day >= '2026-04-13' && day < '2026-05-25');
  expect(spring).toBeGreaterThan(1.08 * autumn);
});

test('a program that starts during the year has no earlier transactions', () => {
  const late = platform.programs.filter(({ age }) => age < PERIOD.days);
  expect(late.length).toBeGreaterThan(0);
  for (const { id, age } of late) {
    const first = year.find(({ program_id }) => program_id === id);
    expect(daysBetween(`${FIRST_DAY} 00:00:00`, first?.created_at ?? FIRST_DAY)).toBeGreaterThan(
      PERIOD.days - age,
    );
  }
});

test('a few websites have most of the transactions', () => {
  const websites = Map.groupBy(year, ({ publisher_id }) => publisher_id);
  const sizes = [...websites.values()].map((rows) => rows.length).sort((one, other) => other - one);
  const ofTop = sizes.slice(0, 60).reduce((sum, size) => sum + size, 0) / ROWS;
  expect(ofTop).toBeGreaterThan(0.5);
  expect(websites.size).toBeGreaterThan(550);
});

test('the first two affiliates are the most active, one French and one English', () => {
  const rowsOf = (publisherIds: readonly number[]) =>
    shareOf(year, ({ publisher_id }) => publisherIds.includes(publisher_id));
  const [first, second, ...others] = platform.affiliates;
  expect([first?.locale, second?.locale]).toEqual(['fr', 'en']);
  const most = Math.max(...others.slice(0, 20).map(({ publisherIds }) => rowsOf(publisherIds)));
  expect(rowsOf(second?.publisherIds ?? [])).toBeGreaterThan(most);
  expect(rowsOf(first?.publisherIds ?? [])).toBeGreaterThan(rowsOf(second?.publisherIds ?? []));
});

test.each([
  ['impressions', 0.34],
  ['clics', 0.38],
  ['dbclicks', 0.06],
  ['leads', 0.1],
  ['sales', 0.12],
] as const)('rows of %s are about %f of all rows', (kind, share) => {
  const isOfKind = ({ type }: DemoTransaction) => type === kind;
  expect(Math.abs(shareOf(year, isOfKind) - share)).toBeLessThan(0.01);
});
