import { expect, test } from 'vitest';
import { planList } from '../../src/plan/list-plan.ts';
import { planWith } from '../support/requests/plans.ts';
import { fc } from '../support/run/properties.ts';
import { ADMIN, affiliateOf, instant, JANUARY, PARIS, planFor, refusalOf } from './principals.ts';

const JANUARY_IN_PARIS = {
  from: instant('2025-12-31T23:00:00Z'),
  until: instant('2026-01-31T23:00:00Z'),
};

test('an admin without limits reads everything in the period, both days included', () => {
  expect(planFor(ADMIN)).toStrictEqual(planWith({ ...JANUARY_IN_PARIS, role: 'admin' }));
});

test('an affiliate who names no website reads all of their websites, and no other', () => {
  const theirs = { ...JANUARY_IN_PARIS, role: 'affiliate', publisherIds: [7, 9] } as const;
  expect(planFor(affiliateOf(7, 9))).toStrictEqual(planWith(theirs));
});

test('an affiliate may ask for one of their websites', () => {
  expect(planFor(affiliateOf(7, 9), { publisher_id: [9] }).publisherIds).toEqual([9]);
});

test('an admin may ask for any publisher and any program', () => {
  const plan = planFor(ADMIN, { publisher_id: [7], program_id: [0] });
  expect(plan).toMatchObject({ publisherIds: [7], programIds: [0] });
});

test('an admin who is limited to programs reads no other, whether they name one or not', () => {
  const limited = { ...ADMIN, programIds: [1, 2] };
  expect(planFor(limited).programIds).toEqual([1, 2]);
  expect(planFor(limited, { program_id: [2] }).programIds).toEqual([2]);
  expect(refusalOf(limited, { program_id: [3] })).toBe('program_forbidden');
});

test('an affiliate may ask for any program, as only their own websites are read', () => {
  expect(planFor(affiliateOf(7), { program_id: [3] })).toMatchObject({
    publisherIds: [7],
    programIds: [3],
  });
});

test('an exclusion does not change what the principal may read, whatever it names', () => {
  const plan = planFor(affiliateOf(7, 9), {
    exclude_publisher_id: [9, 8],
    exclude_program_id: [3],
  });
  expect(plan).toMatchObject({
    publisherIds: [7, 9],
    programIds: 'all',
    filters: [
      { field: 'program_id', values: [3], excludes: true },
      { field: 'publisher_id', values: [9, 8], excludes: true },
    ],
  });
});

test('an affiliate never plans to read a website that is not theirs', () => {
  const websites = fc.uniqueArray(fc.maxSafeNat(), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(websites, fc.maxSafeNat(), (theirs, wanted) => {
      const refusal = refusalOf(affiliateOf(...theirs), { publisher_id: [wanted] });
      expect(refusal).toBe(theirs.includes(wanted) ? undefined : 'publisher_forbidden');
    }),
    {
      examples: [
        [[7], 7],
        [[7], 8],
        [[0], 0],
        [[7], 0],
      ],
    },
  );
});

test('an affiliate without websites reads nothing, and is refused any website', () => {
  expect(planFor(affiliateOf()).publisherIds).toEqual([]);
  expect(refusalOf(affiliateOf(), { publisher_id: [0] })).toBe('publisher_forbidden');
});

test('the identifier 0 restricts like any other', () => {
  expect(planFor(affiliateOf(0, 1), { publisher_id: [0] }).publisherIds).toEqual([0]);
  expect(refusalOf({ ...ADMIN, programIds: [1] }, { program_id: [0] })).toBe('program_forbidden');
});

test('days are in the platform’s time zone, including those of 23 and 25 hours', () => {
  const spring = planFor(ADMIN, { start_date: '2026-03-29', end_date: '2026-03-29' });
  const autumn = planFor(ADMIN, { start_date: '2026-10-25', end_date: '2026-10-25' });
  expect(spring.until - spring.from).toBe(23 * 3600);
  expect(autumn.until - autumn.from).toBe(25 * 3600);
  const inTokyo = planList(JANUARY, ADMIN, { ...PARIS, timeZone: 'Asia/Tokyo' });
  expect(inTokyo.from).toBe(instant('2025-12-31T15:00:00Z'));
});

test('the labels are in the language of the context', () => {
  expect(planList(JANUARY, ADMIN, { ...PARIS, locale: 'nl' }).locale).toBe('nl');
});

test('a plan is frozen', () => {
  expect(Object.isFrozen(planFor(ADMIN))).toBe(true);
});
