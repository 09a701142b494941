import { expect, test } from 'vitest';
import type { ListPlan } from '../../src/plan/list-plan.ts';
import { BY_PROGRAM, BY_PUBLISHER, tablesReadBy } from '../../src/plan/report-table.ts';
import { slicesOf, sortedSlices, windowsOf } from '../../src/plan/slices.ts';
import { planWith } from '../support/requests/plans.ts';
import { fc } from '../support/run/properties.ts';

const HOUR = 3600;
const LAST = 2 ** 32 - 1;

const plans = fc
  .record({
    instants: fc.tuple(fc.integer({ min: 0, max: LAST }), fc.integer({ min: 0, max: LAST })),
    order: fc.constantFrom('asc' as const, 'desc' as const),
  })
  .map(({ instants, order }) => {
    const [from, until] = [Math.min(...instants), Math.max(...instants)];
    return planWith({ role: 'admin', from, until, order });
  });

/** Sorts the slices of a plan by time. */
const inTime = (slices: Iterable<ListPlan>, { order }: ListPlan): readonly ListPlan[] =>
  order === 'asc' ? [...slices] : [...slices].reverse();

/** The slices if the middle half of the plan's period has data. */
const slicesOfData = (plan: ListPlan) => {
  const quarter = Math.floor((plan.until - plan.from) / 4);
  return slicesOf(plan, { from: plan.from + quarter, until: plan.until - quarter });
};

test.each([
  ['slices', (plan: ListPlan) => slicesOf(plan)],
  ['slices of its data', slicesOfData],
  ['slices without data', (plan: ListPlan) => slicesOf(plan, { from: 0, until: 1 })],
  ['windows', windowsOf],
] as const)('the %s of a plan follow each other without a gap and cover it', (_, cut) => {
  fc.assert(
    fc.property(plans, (plan) => {
      const slices = inTime(cut(plan), plan);
      const ends = [slices[0]?.from, slices.at(-1)?.until];
      expect(ends).toEqual(
        plan.from === plan.until ? [undefined, undefined] : [plan.from, plan.until],
      );
      for (const [at, { from }] of slices.slice(1).entries()) expect(from).toBe(slices[at]?.until);
    }),
  );
});

test('sorted slices have every hour with records once, and at most 100,000 records unless one hour has more', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 150_000 }), { maxLength: 30 });
  fc.assert(
    fc.property(counts, fc.constantFrom('asc' as const, 'desc' as const), (records, order) => {
      const hours = records.map((count, at) => ({ hour: at * 5 * HOUR, records: count }));
      const plan = planWith({ role: 'admin', from: 0, until: 200 * HOUR, order });
      const held = inTime(sortedSlices(plan, hours), plan).map(({ from, until }) =>
        hours.filter(({ hour }) => hour >= from && hour < until),
      );
      expect(held.flat()).toEqual(hours);
      for (const some of held) {
        const sum = some.reduce((all, { records: count }) => all + count, 0);
        expect(some.length === 1 || sum <= 100_000).toBe(true);
      }
    }),
  );
});

test('a response whose rows are found through another table depends on both tables', () => {
  const plan = planWith({ role: 'admin', from: 0, until: LAST });
  expect(tablesReadBy(plan, 'transactions')).toEqual(['transactions']);
  const narrow = (particulars: Partial<ListPlan>, table = 'transactions') =>
    tablesReadBy({ ...plan, ...particulars }, table);
  expect(narrow({ publisherIds: [7] })).toEqual(['transactions', BY_PUBLISHER]);
  expect(narrow({ programIds: [7] })).toEqual(['transactions', BY_PROGRAM]);
  expect(narrow({ programIds: [7] }, BY_PROGRAM)).toEqual(['transactions', BY_PROGRAM]);
});
