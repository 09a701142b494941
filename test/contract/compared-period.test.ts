import { expect, test } from 'vitest';
import { type Comparison, formerPeriod } from '../../src/contract/query/compared-period.ts';

const former = (period: string, comparison: Comparison): string => {
  const [start = '', end = ''] = period.split(' to ');
  const { first, last, shift } = formerPeriod({ first: start, last: end }, comparison);
  return `${first} to ${last}, ${shift.count} ${shift.unit}`;
};

test.each([
  ['2026-10-01 to 2026-10-31', '2026-09-01 to 2026-09-30, 1 months'],
  ['2026-01-01 to 2026-03-31', '2025-10-01 to 2025-12-31, 3 months'],
  ['2024-02-01 to 2024-02-29', '2024-01-01 to 2024-01-31, 1 months'],
  ['2026-01-01 to 2026-12-31', '2025-01-01 to 2025-12-31, 12 months'],
  ['2026-03-15 to 2026-03-15', '2026-03-14 to 2026-03-14, 1 days'],
  ['2026-03-01 to 2026-03-30', '2026-01-30 to 2026-02-28, 30 days'],
  ['2026-02-02 to 2026-02-28', '2026-01-06 to 2026-02-01, 27 days'],
])('the period before %s is %s', (period, expected) => {
  expect(former(period, 'previous')).toBe(expected);
});

test.each([
  ['2026-10-05 to 2026-10-11', '2025-10-05 to 2025-10-11, 12 months'],
  ['2024-02-29 to 2024-02-29', '2023-02-28 to 2023-02-28, 12 months'],
  ['2025-02-01 to 2025-02-28', '2024-02-01 to 2024-02-28, 12 months'],
])('a year before %s is %s', (period, expected) => {
  expect(former(period, 'year')).toBe(expected);
});

test.each([
  ['2026-11-01 to 2026-11-22', '2026-10-01 to 2026-10-22, 1 months'],
  ['2026-03-01 to 2026-03-31', '2026-02-01 to 2026-02-28, 1 months'],
  ['2026-01-15 to 2026-02-20', '2025-12-15 to 2026-01-20, 1 months'],
])('a month before %s is %s', (period, expected) => {
  expect(former(period, 'month')).toBe(expected);
});
