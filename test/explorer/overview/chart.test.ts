import { describe, expect, test } from 'vitest';
import {
  formerGranularity,
  formerValues,
} from '../../../explorer/src/overview/chart/former-values.ts';
import { formerPath } from '../../../explorer/src/overview/chart/plot/former-path.ts';
import { highestOf, scaleOf } from '../../../explorer/src/overview/chart/plot/scale.ts';
import { barAt, daysOfRange } from '../../../explorer/src/overview/chart/plot/zoom-range.ts';
import { resolveComparison } from '../../../explorer/src/query/comparisons.ts';
import {
  bucketsIn,
  type Granularity,
  granularitiesFor,
  granularityOf,
} from '../../../explorer/src/query/granularity.ts';
import { incompletenessOf } from '../../../explorer/src/query/incompleteness.ts';
import { daysIn, type Period } from '../../../explorer/src/query/periods.ts';
import { zoomedOut } from '../../../explorer/src/query/zoom-out.ts';
import {
  dayText,
  monthOf,
  shownMonths,
  toDate,
} from '../../../explorer/src/query-form/period/calendar-dates.ts';
import { weekStartOf } from '../../../explorer/src/query-form/period/week-start.ts';
import type { Comparison } from '../../../src/contract/query/compared-period.ts';
import { fc } from '../../support/run/properties.ts';

const ZONE = 'Europe/Paris';

/** Reads a text such as `2026-01-01..2026-01-31`. */
function periodOf(text: string): Period {
  const [start = '', end = ''] = text.split('..');
  return { start, end };
}

const written = ({ start, end }: Period): string => `${start}..${end}`;

describe('the granularities of a period', () => {
  test.each([
    ['2026-11-22..2026-11-22', ['hour'], 'hour'],
    ['2026-11-21..2026-11-22', ['hour', 'day'], 'hour'],
    ['2026-11-20..2026-11-22', ['day'], 'day'],
    ['2026-10-24..2026-11-22', ['day', 'week'], 'day'],
    ['2026-08-01..2026-10-31', ['day', 'week', 'month'], 'week'],
    ['2025-01-01..2025-12-31', ['week', 'month'], 'week'],
    ['2020-01-01..2026-12-31', ['month'], 'month'],
  ] as const)('%s are %j, by default %s', (days, fitting, byDefault) => {
    expect(granularitiesFor(periodOf(days))).toEqual(fitting);
    expect(granularityOf(periodOf(days))).toBe(byDefault);
  });

  test('are chosen only where they fit', () => {
    expect(granularityOf(periodOf('2026-10-24..2026-11-22'), 'week')).toBe('week');
    expect(granularityOf(periodOf('2026-11-22..2026-11-22'), 'week')).toBe('hour');
    expect(granularityOf(periodOf('1969-12-31..2106-02-07'), 'day')).toBe('month');
  });
});

describe('the buckets of a period', () => {
  const names = (days: string, granularity: Granularity, zone = ZONE) =>
    bucketsIn(periodOf(days), granularity, zone).map(({ name }) => name);

  test('are named as the API names its groups', () => {
    expect(names('2026-10-31..2026-11-03', 'week')).toEqual(['2026-10-26', '2026-11-02']);
    expect(names('2026-10-31..2026-11-03', 'month')).toEqual(['2026-10', '2026-11']);
    expect(names('2026-11-22..2026-11-22', 'hour')).toHaveLength(24);
  });

  test('leave out the hour that the clock skips, and have the repeated hour once', () => {
    const spring = names('2026-03-29..2026-03-29', 'hour');
    expect(spring).toHaveLength(23);
    expect(spring).not.toContain('2026-03-29 02:00');
    expect(names('2026-10-25..2026-10-25', 'hour')).toHaveLength(24);
  });

  test('have the hour of which the clock skips only half', () => {
    const hours = names('2026-10-04..2026-10-04', 'hour', 'Australia/Lord_Howe');
    expect(hours).toHaveLength(24);
    expect(hours).toContain('2026-10-04 02:00');
  });
});

describe('the former period', () => {
  const placed = (
    days: string,
    groups: Record<string, number>,
    by: Granularity,
    how: Comparison,
  ) => {
    const compared = resolveComparison({
      compare: how === 'month' ? 'previous' : how,
      period: how === 'month' ? 'this-month' : periodOf(days),
      days: periodOf(days),
      today: '2030-01-01',
    });
    if (compared === undefined) throw new Error('Nothing is compared.');
    const grouping = formerGranularity(by, compared.shift);
    const rows = Object.entries(groups).map(([name, count]) => ({ [grouping]: name, count }));
    const measure = { name: 'count', isMoney: false, isRowCount: false, title: () => '' };
    return Object.fromEntries(
      formerValues(rows, { compared, granularity: by, measure, timeZone: ZONE }),
    );
  };

  test('is compared with the current one hour by hour', () => {
    const found = placed('2026-11-22..2026-11-22', { '2026-11-21 14:00': 3 }, 'hour', 'previous');
    expect(found['2026-11-22 14:00']).toBe(3);
    expect(found['2026-11-22 15:00']).toBe(0);
  });

  test('is compared day by day and week by week', () => {
    const groups = { '2026-11-02': 1, '2026-11-03': 2, '2026-11-08': 4 };
    const week = '2026-11-09..2026-11-15';
    expect(placed(week, groups, 'day', 'previous')).toMatchObject({
      '2026-11-09': 1,
      '2026-11-10': 2,
      '2026-11-11': 0,
      '2026-11-15': 4,
    });
    expect(placed(week, groups, 'week', 'previous')).toEqual({ '2026-11-09': 7 });
  });

  test('is compared month by month', () => {
    const months = placed(
      '2026-07-01..2026-10-31',
      { '2026-03': 5, '2026-06': 6 },
      'month',
      'previous',
    );
    expect(months).toEqual({ '2026-07': 5, '2026-08': 0, '2026-09': 0, '2026-10': 6 });
  });

  test('that is a longer month leaves out the days that the current month lacks', () => {
    const groups = { '2026-10-30': 1, '2026-10-31': 2 };
    const found = placed('2026-11-01..2026-11-30', groups, 'day', 'month');
    expect(found['2026-11-30']).toBe(1);
  });

  test('that is a shorter month has no value where it has no day', () => {
    const found = placed('2026-03-01..2026-03-31', { '2026-02-28': 1 }, 'day', 'month');
    expect(found['2026-03-28']).toBe(1);
    expect(found).not.toHaveProperty('2026-03-29');
  });

  test('counts its last day on the first day of a period that begins later in its month', () => {
    const day = placed('2028-02-29..2028-02-29', { '2027-02-28 14:00': 3 }, 'hour', 'year');
    expect(day['2028-02-29 14:00']).toBe(3);
    const groups = { '2026-02-28': 1, '2026-03-01': 2 };
    const days = placed('2026-03-30..2026-04-02', groups, 'day', 'month');
    expect(days).toEqual({ '2026-03-30': 1, '2026-04-01': 2, '2026-04-02': 0 });
  });

  test('is a line with gaps where it has no value', () => {
    const line = (...values: readonly (number | undefined)[]) =>
      formerPath(
        values.map((former) => ({ former })),
        10,
      );
    expect(line(10, 5, undefined, 0)).toBe('M0.5 0L1.5 0.5M3 1H4');
    expect(line(5)).toBe('M0 0.5H1');
    expect(line(-500, 10)).toBe('M0.5 1L1.5 0');
  });
});

describe('the numbers of a bar', () => {
  const now = '2026-11-22 14:30';
  const stateOf = (days: string, name: string, hour: string | undefined) =>
    incompletenessOf(
      { name, days: periodOf(days), isWhole: true },
      { now, latest: { hour, since: '2026-11-16' } },
    );

  test.each([
    ['2026-11-22..2026-11-22', '2026-11-22', '2026-11-22 13:00', 'open'],
    ['2026-11-22..2026-11-22', '2026-11-22 14:00', '2026-11-22 13:00', 'open'],
    ['2026-11-22..2026-11-22', '2026-11-22 13:00', '2026-11-22 13:00', undefined],
    ['2026-11-22..2026-11-22', '2026-11-22 13:00', '2026-11-22 12:00', 'missing'],
    ['2026-11-22..2026-11-22', '2026-11-22 15:00', '2026-11-22 13:00', undefined],
    ['2026-11-21..2026-11-21', '2026-11-21', '2026-11-20 23:00', 'missing'],
    ['2026-11-20..2026-11-20', '2026-11-20', '2026-11-20 03:00', undefined],
    ['2026-11-16..2026-11-22', '2026-11-16', '2026-11-22 13:00', 'open'],
    ['2026-11-16..2026-11-16', '2026-11-16', undefined, 'missing'],
    ['2026-11-15..2026-11-15', '2026-11-15', undefined, undefined],
  ])('of %s (%s) with data until %s are %s', (days, name, hour, expected) => {
    expect(stateOf(days, name, hour)).toBe(expected);
  });
});

describe('zooming', () => {
  test('out of a period keeps its middle, but ends today at the latest', () => {
    const out = (days: string) => {
      const period = zoomedOut(periodOf(days), '2026-11-22');
      return period && written(period);
    };
    expect(out('2026-10-10..2026-10-10')).toBe('2026-10-09..2026-10-11');
    expect(out('2026-10-09..2026-10-11')).toBe('2026-10-07..2026-10-13');
    expect(out('2026-11-22..2026-11-22')).toBe('2026-11-20..2026-11-22');
    expect(out('2026-11-20..2026-12-01')).toBe('2026-11-08..2026-12-01');
    expect(out('1969-12-31..2026-11-22')).toBeUndefined();
  });

  test('out always makes the period longer and keeps its days', () => {
    const day = fc.date({
      min: new Date('1969-12-31'),
      max: new Date('2026-11-22'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(day, day, (one, other) => {
        const [start = '', end = ''] = [one, other]
          .map((date) => date.toISOString().slice(0, 10))
          .sort();
        const wider = zoomedOut({ start, end }, '2026-11-22');
        if (wider === undefined) return expect(`${start}..${end}`).toBe('1969-12-31..2026-11-22');
        expect(daysIn(wider)).toBeGreaterThan(daysIn({ start, end }));
        expect(wider.start <= start && end <= wider.end).toBe(true);
      }),
    );
  });

  test('in takes the days of all selected bars, in either direction', () => {
    const points = bucketsIn(periodOf('2026-11-03..2026-11-22'), 'week', ZONE);
    for (const range of [
      { from: 0, to: 1 },
      { from: 1, to: 0 },
    ]) {
      expect(daysOfRange(points, range)).toEqual(periodOf('2026-11-03..2026-11-15'));
    }
  });

  test('in by dragging beyond the plot ends with the first or last bar', () => {
    const plot = { left: 100, width: 300 };
    expect([0, 100, 250, 399, 400, 900].map((x) => barAt(x, plot, 3))).toEqual([0, 0, 1, 2, 2, 2]);
  });
});

describe('the calendar of the date picker', () => {
  test.each([
    ['fr', 1],
    ['fr-CA', 1],
    ['en-GB', 1],
    ['en-AU', 1],
    ['en', 0],
    ['en-US', 0],
    ['en-IN', 0],
    ['de', 1],
  ])('begins weeks in %s with day %i', (tag, day) => {
    expect(weekStartOf(tag)).toBe(day);
  });

  test('converts days in any year and back', () => {
    for (const day of ['1970-01-01', '2026-03-29', '2026-10-25', '2106-02-07']) {
      expect(dayText(toDate(day))).toBe(day);
    }
  });

  test('knows the days of a month', () => {
    expect(written(monthOf('2028-02-29'))).toBe('2028-02-01..2028-02-29');
    expect(written(monthOf('2026-01-31', -1))).toBe('2025-12-01..2025-12-31');
  });

  test.each([
    ['2026-03-31', 2, ['2026-03', '2026-04']],
    ['2026-12-01', 2, ['2026-10', '2026-11']],
    ['2026-12-01', 1, ['2026-11']],
    ['2025-01-01', 2, ['2025-12', '2026-01']],
  ])('shows from %s, if %i fit, the months %j', (day, count, months) => {
    const limits = { earliest: '2025-12-24', latest: '2026-11-01', count };
    expect(shownMonths(day, limits).map(({ start }) => start.slice(0, 7))).toEqual(months);
  });

  test('shows one month if there is no other', () => {
    const limits = { earliest: '2026-11-20', latest: '2026-11-22', count: 2 };
    expect(shownMonths('2026-10-01', limits).map(written)).toEqual(['2026-11-01..2026-11-30']);
  });
});

describe('the grid lines of the chart', () => {
  const counts = { isMoney: false };

  test.each([1, 2, 3, 4, 5, 7, 8, 13, 61, 999])('are whole numbers up to a count of %i', (most) => {
    const lines = scaleOf(most, counts);
    expect(lines.every((line) => Number.isInteger(line))).toBe(true);
    expect(lines.at(-1)).toBeGreaterThanOrEqual(most);
  });

  test('reach the highest bar, although a refund makes its total smaller', () => {
    const point = (former: number | undefined, ...values: readonly number[]) => ({
      former,
      parts: values.map((value) => ({ value })),
    });
    expect(highestOf([point(5, 100, -30), point(undefined, 40)])).toBe(100);
    expect(highestOf([point(120, 100)])).toBe(120);
    expect(scaleOf(highestOf([point(-500, -30)]), counts)).toEqual([0, 1]);
  });

  test('may be halves for money', () => {
    expect(scaleOf(7, { isMoney: true })).toEqual([0, 2.5, 5, 7.5]);
  });
});
