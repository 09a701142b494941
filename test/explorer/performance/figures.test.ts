import { describe, expect, test } from 'vitest';
import { changeOf, pointsBetween } from '../../../explorer/src/comparison/change-of.ts';
import { barLengthOf } from '../../../explorer/src/overview/measures.ts';
import { figuresOf, formatFigure } from '../../../explorer/src/performance/figures.ts';
import { funnelOf } from '../../../explorer/src/performance/funnel.ts';
import { changesByProgram } from '../../../explorer/src/performance/money/changes-by-program.ts';
import {
  creationPeriodOfAge,
  firstDaysOfMonths,
  periodBefore,
  recentMonths,
} from '../../../explorer/src/performance/money/money-periods.ts';
import {
  kindWithin,
  paymentsIn,
  pendingBefore,
  pendingByAge,
  unpaidIn,
} from '../../../explorer/src/performance/money/pending.ts';
import {
  partsIgnoredByPerformance,
  performanceQueryOf,
} from '../../../explorer/src/performance/performance-query.ts';
import { comparedSums, sumsOf } from '../../../explorer/src/performance/sums.ts';
import {
  columnsOf,
  formatCell,
  nextSort,
} from '../../../explorer/src/performance/table/columns.ts';
import { tabNamed, tabsOf } from '../../../explorer/src/performance/table/tabs.ts';
import {
  sparklinePath,
  trendQuery,
  trendsOf,
} from '../../../explorer/src/performance/table/trends.ts';
import { readView } from '../../../explorer/src/query/view.ts';
import { csvVariantOf } from '../../../explorer/src/service/performance-csv.ts';
import { formatsOf } from '../../../explorer/src/ui/formats.ts';
import { searchGroups } from '../../../explorer/src/ui/search-groups.ts';

describe('a change', () => {
  test.each([
    [0, 0, { type: 'none' }],
    [5, 0, { type: 'new' }],
    [350, 1, { type: 'multiplied' }],
    [10, 1, { type: 'multiplied' }],
    [112, 100, { type: 'part', part: 0.12 }],
    [0, 100, { type: 'part', part: -1 }],
    [99.99, 100, { type: 'part', part: 0 }],
    [50, -100, { type: 'none' }],
    [-200, -100, { type: 'none' }],
  ] as const)('from a former number: %d against %d', (now, before, expected) => {
    expect(changeOf(now, before)).toEqual(expected);
  });

  test('of a ratio is in percentage points', () => {
    expect(pointsBetween(0.031, 0.0291)).toBe(0.002);
  });
});

test('the bar of a group stays within its card, although negative sums make shares below 0 and above 1', () => {
  expect([-99, 0, 0.25, 1, 100].map(barLengthOf)).toEqual([0, 0, 0.25, 1, 1]);
});

describe('the sums of groups', () => {
  const hour = (at: string, now: number, before: number) => ({
    hour: `2026-11-22 ${at}:00`,
    clics: now * 100,
    leads: 0,
    sales: now,
    earnings: now * 2.5,
    former_clics: before * 100,
    former_sales: before,
    former_earnings: before * 2.5,
  });
  const rows = [hour('08', 2, 4), hour('09', 1, 1), hour('10', 3, 50)];

  test('have ratios of the sums, or none without anything to divide by', () => {
    const sums = sumsOf(rows, 'affiliate');
    expect([sums.clics, sums.sales, sums.earnings]).toEqual([600, 6, 15]);
    expect(sums.conversion_rate).toBeCloseTo(0.01);
    expect(sums.earnings_per_click).toBeCloseTo(0.025);
    expect([sums.click_through_rate, sums.approval_rate]).toEqual([null, null]);
  });

  test('compare only hours that are over', () => {
    const { now, former, until } = comparedSums(rows, 'affiliate', '2026-11-22 10:00');
    expect([now.earnings, former.earnings, until]).toEqual([7.5, 12.5, '10:00']);
    expect(comparedSums(rows, 'affiliate', undefined).former.sales).toBe(55);
  });
});

test('leads and sales both have a rate per click, and a step has none if the step before is missing or zero', () => {
  const steps = funnelOf({ impressions: 1000, clics: 100, leads: 5, sales: 2 });
  expect(steps.map(({ rate }) => rate)).toEqual([null, 0.1, 0.05, 0.02]);
  expect(funnelOf({ clics: 0, leads: 1 }).map(({ rate }) => rate)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test('administrators see orders and amounts, and a missing ratio is a dash', () => {
  const formats = formatsOf('en-GB', 'EUR');
  const names = (role: 'admin' | 'affiliate') => figuresOf(role).map(({ name }) => name);
  expect(names('affiliate')).toEqual(['conversion_rate', 'earnings_per_click', 'approval_rate']);
  expect(names('admin')).toContain('average_order_value');
  expect(formatFigure(null, { format: 'rate' }, formats)).toBe('–');
  expect(formatFigure(0.029055, { format: 'rate' }, formats)).toBe('2.91%');
  expect(formatFigure(0.437626, { format: 'fine' }, formats)).toBe('€0.438');
});

describe('what is pending and paid', () => {
  const row = (age: string, month: string, payment_id: string | null, money: number) => ({
    age,
    month,
    payment_id,
    leads_pending: 1,
    sales_pending: 2,
    remuneration_pending: payment_id === null ? money : 0,
    remuneration_validated: money / 2,
  });
  const rows = [
    row('0-30', '2026-11', null, 40),
    row('31-60', '2026-10', null, 20),
    row('31-60', '2026-09', null, 10),
    row('91+', '2026-07', 'PAY-1', 8),
    row('61-90', '2026-08', 'PAY-2', 2),
    row('91+', '2026-06', 'PAY-2', 2),
  ];

  test('is added up by age and before a month', () => {
    expect(pendingByAge(rows).map(({ money }) => money)).toEqual([40, 30, 0, 0]);
    expect(pendingBefore(rows, '2026-10')).toMatchObject({ money: 10 });
    expect(unpaidIn(rows).money).toBe(35);
  });

  test('lists the payment with the latest transactions first', () => {
    expect(paymentsIn(rows)).toMatchObject([
      { id: 'PAY-2', first: '2026-06', last: '2026-08', money: 2 },
      { id: 'PAY-1', first: '2026-07', last: '2026-07', money: 4 },
    ]);
  });

  test('has the days of each age, without a gap', () => {
    const ages = ['0-30', '31-60', '61-90', '91+'] as const;
    expect(ages.map((age) => creationPeriodOfAge(age, '2026-11-22'))).toEqual([
      { start: '2026-10-23', end: '2026-11-22' },
      { start: '2026-09-23', end: '2026-10-22' },
      { start: '2026-08-24', end: '2026-09-22' },
      { start: '2024-12-01', end: '2026-08-23' },
    ]);
    expect(firstDaysOfMonths('2026-01-31').slice(0, 2)).toEqual(['2026-01-01', '2025-12-01']);
    expect(periodBefore('2026-10-01', '2026-11-22')).toEqual({
      start: recentMonths('2026-11-22').start,
      end: '2026-09-30',
    });
  });
});

test('the programs with the largest differences come first, also those that earn nothing now', () => {
  const row = (program_id: number, earnings: number, former_earnings: number) => ({
    program_id,
    program_name: program_id === 1 ? 'Shop' : null,
    earnings,
    former_earnings,
  });
  const changes = changesByProgram([row(1, 10, 5), row(2, 0, 90), row(3, 7, 7)]);
  expect(changes).toEqual([
    { id: '2', name: undefined, now: 0, difference: -90 },
    { id: '1', name: 'Shop', now: 10, difference: 5 },
  ]);
});

test('performance uses the filters that its API has, and the ignored ones are named', () => {
  const view = readView('?program_id=1,2&status=1&clickid=a&country=FR&date_field=updated_at');
  expect(performanceQueryOf(view, { start: '2026-01-01', end: '2026-01-31' })).toEqual({
    start_date: '2026-01-01',
    end_date: '2026-01-31',
    program_id: '1,2',
    country: 'FR',
  });
  expect(partsIgnoredByPerformance(view)).toEqual(['status', 'clickid', 'date_field']);
});

describe('the table of performance', () => {
  const formats = formatsOf('fr');

  test('has a tab of coupons for administrators only, and opens its first tab for an unknown name', () => {
    const names = (role: 'admin' | 'affiliate') => tabsOf(role).map(({ grouping }) => grouping);
    expect(names('admin')).toEqual([...names('affiliate'), 'coupon']);
    expect(tabNamed('coupon', 'affiliate').grouping).toBe('program_id');
    expect(tabNamed('subid', 'affiliate').grouping).toBe('subid');
  });

  test('is sorted by the largest first, and on the second click by the smallest', () => {
    expect(nextSort('clics', '-earnings')).toBe('-clics');
    expect(nextSort('clics', '-clics')).toBe('clics');
    expect(nextSort('clics', 'clics')).toBe('-clics');
  });

  test('finds names in any case, without accents, and by their identifiers', () => {
    const rows = [
      { program_id: 12, program_name: 'Énergie' },
      { program_id: 130, program_name: null },
      { program_id: 14, program_name: 'ΟΔΟΣΑ' },
      { program_id: null },
    ];
    const found = (search: string) => searchGroups(search, rows, 'program_id', formats).length;
    const searches = ['', 'energie', ' ÉNER', '13', 'x', 'ΟΔΟΣ', 'οδος'];
    expect(searches.map(found)).toEqual([4, 1, 1, 1, 0, 1, 1]);
    const countries = [{ country: 'DE' }, { country: null }];
    expect(searchGroups('allem', countries, 'country', formats).length).toBe(1);
    // While the rows of a tab are loading, the search gets those of the previous tab. They must not match.
    expect(searchGroups('', countries, 'subid', formats)).toEqual([]);
  });

  test('shows a dash in place of a ratio without anything to divide by', () => {
    const [, , conversion = columnsOf('admin')[0]] = columnsOf('admin');
    expect(conversion && formatCell({ conversion_rate: null }, conversion, formats)).toBe('–');
  });
});

describe('the sparkline of a group', () => {
  const days = { start: '2026-11-19', end: '2026-11-23' };
  const clock = { timeZone: 'Europe/Paris', now: '2026-11-23 14:00', latest: undefined };
  const options = { grouping: 'program_id', granularity: 'day', days, clock } as const;
  const row = (day: string, program_id: number, earnings: number) => ({
    day,
    program_id,
    earnings,
  });

  test('has zeros for days without earnings, and ends before days that are incomplete or to come', () => {
    const rows = [
      row('2026-11-19', 7, 4),
      row('2026-11-21', 7, 2),
      row('2026-11-22', 8, 1),
      row('2026-11-23', 7, 99),
    ];
    expect(Object.fromEntries(trendsOf(rows, options))).toEqual({
      7: [4, 0, 2, 0],
      8: [0, 0, 0, 1],
    });
    const latest = { hour: '2026-11-20 23:00', since: '2026-11-17' };
    const late = { ...options, clock: { ...clock, latest } };
    expect(trendsOf(rows, late).get('7')).toEqual([4, 0]);
    const longer = { ...options, days: { ...days, end: '2026-11-30' } };
    expect(trendsOf(rows, longer).get('7')).toEqual([4, 0, 2, 0]);
    // A full page of rows may end within a bucket, so its last bucket is dropped.
    const page = [...Array(999).fill(rows[0]), { ...rows[0], day: '2026-11-21' }];
    expect(trendsOf(page, options).get('7')).toEqual([4, 0]);
  });

  test('is requested for the shown rows only, with the filters of the page', () => {
    const filters = { start_date: '2026-11-19', country: 'FR' };
    const rows = [{ subid: 'a,b' }, { subid: null }, { subid: 'c' }];
    expect(trendQuery(filters, 'subid', rows, 'week')).toEqual({
      ...filters,
      subid: 'a,b\nc',
      group_by: 'week,subid',
      limit: '1000',
    });
    expect(trendQuery(filters, 'subid', [{ subid: null }], 'week')).toBeUndefined();
  });

  test('is not requested for texts that the filter or a URL cannot have', () => {
    const query = (...subids: readonly string[]) =>
      trendQuery(
        {},
        'subid',
        subids.map((subid) => ({ subid })),
        'week',
      );
    expect(query('x'.repeat(1001), 'a')?.subid).toBe('a');
    expect(query('x'.repeat(1001))).toBeUndefined();
    const long = ['a', 'b', 'c', 'd'].map((letter) => letter + '%'.repeat(999));
    expect(query(...long)).toBeUndefined();
  });

  test('is as high as its largest value, and goes below zero with corrections', () => {
    expect(sparklinePath([4, 0, 2])).toBe('M0 0L1 1L2 0.5');
    expect(sparklinePath([0, 0])).toBe('M0 1L1 1');
    expect(sparklinePath([1, -1])).toBe('M0 0L1 1');
  });
});

test.each([
  ['fr', 'excel'],
  ['de-AT', 'excel'],
  ['en-GB', 'excel-en'],
  ['de-CH', 'excel-en'],
])('the CSV of the performance table has the decimal separator of %s', (tag, variant) => {
  expect(csvVariantOf(tag)).toBe(variant);
});

test('the list of a pending amount shows a kind that the amount has', () => {
  expect(kindWithin({ count: 12, leads: 9 }, 'sales')).toBe('sales');
  expect(kindWithin({ count: 12, leads: 9 }, 'leads')).toBe('leads');
  expect(kindWithin({ count: 12, leads: 9 }, 'clics')).toBe('sales');
  expect(kindWithin({ count: 9, leads: 9 }, 'sales')).toBe('leads');
  expect(kindWithin({ count: 0, leads: 0 }, 'impressions')).toBe('sales');
});
