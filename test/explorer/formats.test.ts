import { expect, test } from 'vitest';
import { formatsOf } from '../../explorer/src/ui/formats.ts';

test('only the first of a month is an ordinal in French', () => {
  const { day, dayOfWeek, shortDay, period, shortPeriod, moment, month, instant, clock } =
    formatsOf('fr-FR');
  expect(dayOfWeek('2026-11-01')).toBe('dimanche 1er novembre 2026');
  expect(shortDay('2026-01-01')).toBe('1er janv.');
  expect(shortDay('2026-01-21')).toBe('21 janv.');
  expect(period('2026-01-01', '2026-01-01')).toBe('1er janv. 2026');
  expect(period('2026-01-01', '2026-01-31')).toBe('1–31 janv. 2026');
  expect(period('2026-10-24', '2026-11-01')).toMatch(/^24 oct\.\s–\s1er nov\. 2026$/);
  expect(shortPeriod('2026-10-01', '2026-11-11')).toMatch(/^1er oct\.\s–\s11 nov\.$/);
  expect(moment('2026-11-01 21:41:01')).toMatch(/^1er nov\. 2026\D+21:41:01$/);
  expect(month('2026-11')).toBe('novembre 2026');
  expect(instant('2026-12-01T09:00:00Z', 'Europe/Paris')).toMatch(/^1er décembre 2026\D+10:00$/);
  expect(clock(Date.UTC(2026, 0, 1, 12), 'UTC')[0]).toBe(day('2026-01-01'));
  expect(day('2026-01-01')).toBe('1er janv. 2026');
  expect(formatsOf('en-GB').dayOfWeek('2026-11-01')).toMatch(/^Sunday,? 1 November 2026$/);
});

/** Replaces all spaces with ordinary ones: French uses narrow no-break spaces. */
const plain = (text: string): string => text.replace(/\s/g, ' ');

test.each([
  ['en-GB', undefined, 1234.5, '1,234.50', '1,234.50'],
  ['en-GB', 'EUR', 1234.5, '€1,234.50', '€1,234.50'],
  ['fr-FR', 'EUR', 1234.567891, '1 234,567891 €', '1 234,57 €'],
  ['fr-FR', undefined, 0.056, '0,056', '0,06'],
  ['en-GB', 'JPY', 12.5, 'JP¥12.5', 'JP¥13'],
  ['en-GB', 'EUR', -0.001, '-€0.001', '€0.00'],
])(
  'in %s with the currency %s, %d is shown as %s and rounded to %s',
  (tag, currency, value, exact, rounded) => {
    const { amount, roundedAmount } = formatsOf(tag, currency);
    expect([plain(amount(value)), plain(roundedAmount(value))]).toEqual([exact, rounded]);
  },
);
