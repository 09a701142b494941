import { expect, test } from 'vitest';
import { ageLimitsOf } from '../../src/plan/aggregation/age-limits.ts';
import { instant, PARIS } from './principals.ts';

test('ages begin at midnight in the platform’s time zone', () => {
  expect(ageLimitsOf(['age'], { ...PARIS, today: '2026-04-20' })).toEqual([
    instant('2026-03-20T23:00:00Z'),
    instant('2026-02-18T23:00:00Z'),
    instant('2026-01-19T23:00:00Z'),
  ]);
});

test('a plan without ages does not depend on the day', () => {
  expect(ageLimitsOf(['day', 'subid'], PARIS)).toEqual([]);
});
