import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { keptFrom, readRetention } from '../../src/contract/record/retention.ts';

test('the rule * applies to every type without a rule of its own', () => {
  expect(readRetention('impressions=13 months, *=37 months')).toEqual({
    ...Object.fromEntries(KINDS.map((kind) => [kind, 37])),
    impressions: 13,
  });
  expect(readRetention('sales=1 month')).toEqual({ sales: 1 });
});

test.each([
  '',
  'impressions',
  'impressions=13',
  'impressions=13 days',
  'impressions=0 months',
  'impression=13 months',
  '*=13 months, *=12 months',
  'sales=1 month, sales=2 months',
  'sales=1 month,',
])('"%s" is refused', (text) => {
  expect(() => readRetention(text)).toThrow('must name months for types');
});

test.each([
  ['2026-11-22', 13, '202510'],
  ['2026-11-01', 1, '202610'],
  ['2026-01-31', 1, '202512'],
  ['2024-02-29', 12, '202302'],
])('on %s, a retention of %i months keeps the month %s and later ones', (today, months, first) => {
  expect(keptFrom({ sales: months }, Temporal.PlainDate.from(today))).toEqual({ sales: first });
});
