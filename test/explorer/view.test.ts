import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { clientCodeOf, curlOf } from '../../explorer/src/export/snippets.ts';
import { toggleFilter } from '../../explorer/src/overview/toggle-filter.ts';
import { trendQuery } from '../../explorer/src/performance/table/trends.ts';
import { clientParameters } from '../../explorer/src/query/api-query.ts';
import {
  formerDays,
  partMisleadingComparison,
  resolveComparison,
} from '../../explorer/src/query/comparisons.ts';
import {
  FILTER_NAMES,
  filterLabel,
  isExclusion,
  selectingFilters,
} from '../../explorer/src/query/filters.ts';
import { bucketsIn, granularityOf } from '../../explorer/src/query/granularity.ts';
import { PRESETS, periodOf } from '../../explorer/src/query/periods.ts';
import {
  apiQueryOf,
  DEFAULT_VIEW,
  ignoredPartsOf,
  locationSearchOf,
  readView,
} from '../../explorer/src/query/view.ts';
import { facetQuery, facetValues, isFacet } from '../../explorer/src/query-form/values/facets.ts';
import { mergedValues } from '../../explorer/src/query-form/values/named-values.ts';
import { normalizeInput } from '../../explorer/src/query-form/values/normalize-input.ts';
import {
  labelOfValue,
  pickerOptions,
} from '../../explorer/src/query-form/values/picker-options.ts';
import { movedColumn } from '../../explorer/src/table/moved-column.ts';
import { rowCountOf, segmentAt, segmentsOf } from '../../explorer/src/table/segments.ts';
import { EN } from '../../explorer/src/texts/en.ts';
import { formatsOf } from '../../explorer/src/ui/formats.ts';
import { LIST_PARAMETERS, SUMMARY_PARAMETERS } from '../../src/contract/query/parameters.ts';
import { fc } from '../support/run/properties.ts';

test('every filter is a parameter of lists and of summaries', () => {
  for (const name of FILTER_NAMES) {
    expect(Object.keys(LIST_PARAMETERS)).toContain(name);
    expect(Object.keys(SUMMARY_PARAMETERS)).toContain(name);
  }
});

describe('an address', () => {
  test('without parameters queries the sales of the last days', () => {
    expect(readView('')).toEqual({ ...DEFAULT_VIEW, measure: undefined, granularity: undefined });
  });

  test('with invalid parts counts as an address without them', () => {
    const wrong =
      '?type=visits&start_date=2026-02-30&end_date=2026-03-01&period=ever&date_field=x&order=up&program_id=abc&status=7&country=F&token=trx_x';
    expect(readView(wrong)).toEqual(readView(''));
  });

  test('with dates out of range queries the last days', () => {
    for (const days of [
      '0001-01-01..9999-12-31',
      '1969-12-30..2026-01-01',
      '2026-01-01..2106-02-08',
    ]) {
      const [start, end] = days.split('..');
      expect(readView(`?start_date=${start}&end_date=${end}`)).toEqual(readView(''));
    }
    const longest = { start: '1969-12-31', end: '2106-02-07' };
    expect(readView('?start_date=1969-12-31&end_date=2106-02-07').period).toEqual(longest);
    expect(bucketsIn(longest, granularityOf(longest), 'UTC').length).toBeLessThan(2000);
  });

  test('is written as it was read', () => {
    for (const search of [
      '?type=sales&period=last-month',
      '?type=clics&start_date=2026-01-01&end_date=2026-01-31&compare=year&date_field=updated_at&program_id=1,2&status=0,1&clickid=a+%26b&order=asc&list_sort=-total&measure=total&granularity=month&row=12',
    ]) {
      expect(locationSearchOf(readView(search))).toBe(search);
    }
  });

  test('reports the parts that were ignored', () => {
    const saidIn = (search: string) =>
      ignoredPartsOf(search).map(({ name, text }) => `${name}=${text}`);
    for (const [search, ...unread] of [
      ['?type=sales&period=today&order=desc&date_field=created_at&program_id=12&measure=amount'],
      ['?type=sales&country=&utm_source=mail&token=trx_x'],
      ['?status=9&program_id=abc', 'program_id=abc', 'status=9'],
      ['?type=sale&period=ever', 'type=sale', 'period=ever'],
      [
        '?start_date=2026-02-30&end_date=2026-03-01',
        'start_date=2026-02-30',
        'end_date=2026-03-01',
      ],
      ['?start_date=2026-01-01&end_date=2026-01-02&period=today', 'period=today'],
      ['?country=FR&country=DE&country=FR', 'country=DE'],
      ['?row=007', 'row=007'],
      ['?row=1e3&type=leads', 'row=1e3'],
      [
        '?order=up&list_sort=-status_label&compare=x&date_field=x&table=x&sort=y&full=1&measure=y&granularity=year',
        'compare=x',
        'date_field=x',
        'order=up',
        'list_sort=-status_label',
        'table=x',
        'sort=y',
        'full=1',
        'measure=y',
        'granularity=year',
      ],
    ] as const) {
      expect(saidIn(search), search).toEqual(unread);
      expect(saidIn(locationSearchOf(readView(search)))).toEqual([]);
    }
  });

  test('reports an order by a field that the role does not have', () => {
    const search = '?type=sales&period=today&list_sort=-remuneration';
    const unread = [{ name: 'list_sort', text: '-remuneration' }];
    expect(ignoredPartsOf(search, ['affiliate'])).toEqual([]);
    expect(ignoredPartsOf(search, ['admin'])).toEqual(unread);
    expect(ignoredPartsOf(locationSearchOf(readView(search, ['admin'])), ['admin'])).toEqual([]);
  });

  test('reports filters, tables, orders and measures that the role does not have', () => {
    const search =
      '?type=sales&period=today&exclude_orderid=2&orderid=1&table=coupon&sort=-amount&measure=amount';
    const unread = ignoredPartsOf(search, ['affiliate']).map(({ name }) => name);
    expect(new Set(unread)).toEqual(
      new Set(['orderid', 'exclude_orderid', 'table', 'sort', 'measure']),
    );
    expect(ignoredPartsOf(search, ['admin'])).toEqual([]);
    expect(locationSearchOf(readView(search, ['affiliate']))).toBe('?type=sales&period=today');
    expect(readView('?measure=remuneration', ['affiliate']).measure).toBe('remuneration');
  });

  test('sends its days and filters to the API, without display options', () => {
    const view = readView('?type=leads&period=today&country=FR&measure=count&order=asc&row=7');
    expect(apiQueryOf(view, { start: '2026-01-02', end: '2026-01-03' })).toEqual({
      type: 'leads',
      start_date: '2026-01-02',
      end_date: '2026-01-03',
      country: 'FR',
    });
  });
});

describe('a filter', () => {
  test('with several free texts repeats its parameter, in the address and for the API', () => {
    const search = '?type=sales&period=today&subid=a%2Cb&subid=c&exclude_country=FR,BE';
    const view = readView(search);
    expect(view.filters).toEqual({ subid: 'a,b\nc', exclude_country: 'FR,BE' });
    expect(readView(locationSearchOf(view))).toEqual(view);
    expect(locationSearchOf(view)).toBe(search.replace('%2C', ','));
    expect(ignoredPartsOf(search)).toEqual([]);
    const query = apiQueryOf(view, { start: '2026-01-02', end: '2026-01-03' });
    expect(clientParameters(query)).toMatchObject({
      subid: ['a,b', 'c'],
      exclude_country: 'FR,BE',
    });
    expect(curlOf('https://x/', 'admin', query)).toContain('subid=a,b&subid=c');
    expect(clientCodeOf('https://x/', 'admin', { ...query, exclude_status: '0,2' })).toMatch(
      /"exclude_status": \[\s*"0",\s*"2"/,
    );
  });

  test('toggles one of several free texts', () => {
    expect(toggleFilter({ subid: 'a,b\nc' }, 'subid', 'a,b')).toEqual({ subid: 'c' });
    expect(toggleFilter({ subid: 'a,b\nc' }, 'subid', 'd')).toEqual({ subid: 'd' });
  });

  test.each(['a\nb', 'C:\\new', '\\', '\\\n', '\r\n'])(
    'with the free text %j stays one value, in the address and for the API',
    (value) => {
      const view = { ...DEFAULT_VIEW, filters: toggleFilter({}, 'subid', value) };
      const read = readView(locationSearchOf(view));
      expect(read.filters).toEqual(view.filters);
      const query = apiQueryOf(read, { start: '2026-01-02', end: '2026-01-03' });
      expect(clientParameters(query).subid).toBe(value);
      expect(toggleFilter(read.filters, 'subid', value)).toEqual({});
      const shown = trendQuery({}, 'subid', [{ subid: value }, { subid: 'c' }], 'week');
      expect(clientParameters(shown ?? {}).subid).toEqual([value, 'c']);
    },
  );

  test('by order is offered to administrators only', () => {
    expect(selectingFilters('admin')).toContain('orderid');
    expect(selectingFilters('affiliate')).not.toContain('orderid');
    expect(selectingFilters('admin').some(isExclusion)).toBe(false);
  });

  test('has options that are found by name and label, and keep their order when one is chosen', () => {
    const named = [
      { value: '1', name: 'Savon', count: 7 },
      { value: '2', name: 'Forêt' },
    ];
    const english = formatsOf('en');
    const labels = (text: string, item: string) =>
      pickerOptions('exclude_program_id', text, item, named, english).map(
        ({ label, isChosen }) => `${label}${isChosen ? ' chosen' : ''}`,
      );
    expect(labels('', '')).toEqual(['Savon', 'Forêt']);
    expect(labels('9,2', '')).toEqual(['9 chosen', 'Savon', 'Forêt chosen']);
    expect(labels('9,2', 'foret')).toEqual(['Forêt chosen']);
    expect(pickerOptions('country', '', 'germ', [{ value: 'DE' }], english)).toEqual([
      { value: 'DE', label: 'Germany', count: undefined, isChosen: false },
    ]);
  });
});

describe('the typed text of a filter', () => {
  const known = ['mobile', 'desktop', 'tv', 'TV'];

  test.each([
    ['country', 'fr, BE', 'en', 'FR,BE'],
    ['country', 'France', 'en', 'FR'],
    ['country', 'allemagne,cote d’ivoire, États-Unis', 'fr', 'DE,CI,US'],
    ['country', 'UK', 'en', 'GB'],
    ['country', 'Frankreich', 'en', 'Frankreich'],
    ['program_id', '12, 13 ', 'en', '12,13'],
    ['device_type', 'Mobile', 'en', 'mobile'],
    ['device_type', 'TV', 'en', 'TV'],
    ['device_type', 'ordinateur', 'fr', 'desktop'],
    ['device_type', 'Watch', 'en', 'Watch'],
    ['subid', ' a, b ', 'en', 'a, b'],
    ['subid', ' a, b | c', 'en', 'a, b\nc'],
    ['subid', 'C:\\new', 'en', 'C:\\\\new'],
    ['exclude_device_type', 'Ordinateur | TV', 'fr', 'desktop\nTV'],
    ['exclude_country', 'france,be', 'en', 'FR,BE'],
  ])('for %s, %j is read as the user means it', (name, text, tag, meant) => {
    expect(normalizeInput(name, { text, formats: formatsOf(tag), known })).toBe(meant);
  });
});

describe('a column that is dragged', () => {
  const columns = ['a', 'b', 'c', 'd'];

  test.each([
    ['d', 'b', 'adbc'],
    ['a', 'c', 'bcad'],
    ['a', 'a', 'abcd'],
    ['x', 'a', 'abcd'],
    ['a', 'x', 'abcd'],
  ])('%s takes the position of %s', (name, target, order) => {
    expect(movedColumn(columns, name, target).join('')).toBe(order);
  });
});

describe('the typed name of a program', () => {
  const named = [
    { value: '107', name: 'Savonnerie des Dunes', count: 3 },
    { value: '102', name: 'Velours & Lin' },
    { value: '110', name: 'Élan' },
    { value: '111', name: 'Élan Sud' },
    { value: '113', name: 'Play 24' },
    { value: '114', name: 'ΟΔΟΣΑ' },
    { value: '112' },
  ];

  test('is kept as it is if two programs share it', () => {
    const twins = ['Twin', 'twin'].map((name, at) => ({ value: `${at}`, name }));
    const input = { text: 'twin', formats: formatsOf('fr'), known: [], named: twins };
    expect(normalizeInput('program_id', input)).toBe('twin');
  });

  test.each([
    ['savon', '107'],
    ['velours et lin, SAVONNERIE des dunes', 'velours et lin,107'],
    ['velours & lin,112', '102,112'],
    ['elan', '110'],
    ['élan s', '111'],
    ['la', 'la'],
    ['an', 'an'],
    ['n', 'n'],
    ['107,', '107'],
    ['play 24, 24', '113,24'],
    ['ΟΔΟΣ', '114'],
  ])('%j becomes %j: only a name of one program becomes its identifier', (text, meant) => {
    const input = { text, formats: formatsOf('fr'), known: [], named };
    expect(normalizeInput('program_id', input)).toBe(meant);
  });

  test('is shown for an applied identifier, and found programs do not replace known ones', () => {
    const found = mergedValues(named, [
      { value: '112', name: 'Nouveau' },
      { value: '107', name: 'Other', count: 9 },
    ]);
    const labels = found.map((one) => labelOfValue('exclude_program_id', one, formatsOf('fr')));
    expect([labels[0], labels.at(-1)]).toEqual(['Savonnerie des Dunes', 'Nouveau']);
    expect(found[0]).toEqual(named[0]);
  });
});

describe('a facet', () => {
  const days = { start: '2026-01-01', end: '2026-01-31' };
  const viewOf = (search: string) => readView(`?period=today&${search}`);

  test('counts the values of a field under the other filters', () => {
    const view = viewOf('type=leads&program_id=1&exclude_program_id=2&country=FR&status=1');
    expect(facetQuery('program_id', view, days)).toEqual({
      start_date: days.start,
      end_date: days.end,
      country: 'FR',
      group_by: 'program_id',
      names: 'true',
      sort: '-leads',
      limit: '200',
    });
  });

  test.each([
    ['type=sales', 9],
    ['type=sales&status=1,2', 7],
    ['type=clics', 50],
    ['type=clics&status=1', undefined],
    ['type=sales&date_field=updated_at', undefined],
    ['type=sales&exclude_status=0', undefined],
    ['type=sales&orderid=90210', undefined],
  ])('of %s has the count of the list, or none if it is unknown', (search, count) => {
    const row = { subid: 'a', sales: 9, sales_validated: 3, sales_pending: 4, clics: 50 };
    expect(facetValues('subid', [row, { subid: null }], viewOf(search))).toEqual([
      { value: 'a', name: undefined, count },
    ]);
  });

  test('exists for fields that the service counts by', () => {
    expect(isFacet('subid', 'affiliate')).toBe(true);
    expect(isFacet('clickid', 'admin')).toBe(false);
  });
});

test('the filter by status has labels instead of codes', () => {
  expect(filterLabel('exclude_status', EN)).toBe('Status is not');
  const labels = ['0', '1', '9'].map((value) =>
    labelOfValue('exclude_status', { value }, formatsOf('fr')),
  );
  expect(labels).toEqual(['Refusé', 'Validé', '9']);
  const given = { text: 'refusé, En attente', formats: formatsOf('fr'), known: ['0', '1', '2'] };
  expect(normalizeInput('exclude_status', given)).toBe('0,2');
});

describe('a period', () => {
  const at = (now: string, timeZone = 'UTC') => {
    const instant = Temporal.Instant.from(now);
    return Object.fromEntries(
      PRESETS.map((preset) => {
        const { start, end } = periodOf(preset, timeZone, instant);
        return [preset, `${start}..${end}`];
      }),
    );
  };

  test('by name has the days of its name', () => {
    expect(at('2026-07-16T12:00:00Z')).toEqual({
      today: '2026-07-16..2026-07-16',
      yesterday: '2026-07-15..2026-07-15',
      'last-7-days': '2026-07-10..2026-07-16',
      'last-30-days': '2026-06-17..2026-07-16',
      'last-90-days': '2026-04-18..2026-07-16',
      'this-month': '2026-07-01..2026-07-16',
      'last-month': '2026-06-01..2026-06-30',
      'this-year': '2026-01-01..2026-07-16',
      'last-year': '2025-01-01..2025-12-31',
    });
  });

  test('by name crosses the ends of months and years', () => {
    expect(at('2028-03-31T12:00:00Z')).toMatchObject({
      'last-month': '2028-02-01..2028-02-29',
      'last-30-days': '2028-03-02..2028-03-31',
    });
    expect(at('2027-01-01T00:00:00Z')).toEqual({
      today: '2027-01-01..2027-01-01',
      yesterday: '2026-12-31..2026-12-31',
      'last-7-days': '2026-12-26..2027-01-01',
      'last-30-days': '2026-12-03..2027-01-01',
      'last-90-days': '2026-10-04..2027-01-01',
      'this-month': '2027-01-01..2027-01-01',
      'last-month': '2026-12-01..2026-12-31',
      'this-year': '2027-01-01..2027-01-01',
      'last-year': '2026-01-01..2026-12-31',
    });
  });

  test('by name has its days in the time zone of the platform', () => {
    const now = '2026-07-16T11:00:00Z';
    expect(at(now, 'Pacific/Kiritimati').today).toBe('2026-07-17..2026-07-17');
    expect(at(now, 'Pacific/Pago_Pago').today).toBe('2026-07-16..2026-07-16');
    expect(at('2026-07-16T22:30:00Z', 'Europe/Paris').yesterday).toBe('2026-07-16..2026-07-16');
  });

  test('is compared with as many days right before', () => {
    expect(formerDays({ start: '2026-03-01', end: '2026-03-30' }, 'previous')).toEqual({
      start: '2026-01-30',
      end: '2026-02-28',
    });
  });

  test.each([
    ['last-month', '2026-03-01..2026-03-31', '2026-02-01..2026-02-28'],
    ['last-month', '2026-02-01..2026-02-28', '2026-01-01..2026-01-31'],
    ['this-month', '2026-03-01..2026-03-12', '2026-02-01..2026-02-12'],
    ['this-month', '2026-03-01..2026-03-31', '2026-02-01..2026-02-28'],
    ['this-year', '2026-01-01..2026-11-21', '2025-01-01..2025-11-21'],
    ['this-year', '2024-01-01..2024-02-29', '2023-01-01..2023-02-28'],
    ['last-year', '2025-01-01..2025-12-31', '2024-01-01..2024-12-31'],
    ['last-7-days', '2026-03-01..2026-03-07', '2026-02-22..2026-02-28'],
    ['yesterday', '2026-03-01..2026-03-01', '2026-02-28..2026-02-28'],
  ] as const)('by the name of %s, %s, is compared with %s', (preset, days, before) => {
    const [start = '', end = ''] = days.split('..');
    const asked = {
      compare: 'previous',
      period: preset,
      days: { start, end },
      today: end,
    } as const;
    const { former } = resolveComparison(asked) ?? {};
    expect(`${former?.start}..${former?.end}`).toBe(before);
  });

  describe('of dates', () => {
    const compared = (days: string, compare: 'previous' | 'year' | 'none', today: string) => {
      const [start = '', end = ''] = days.split('..');
      const period = { start, end };
      const found = resolveComparison({ compare, period, days: period, today });
      return found && `${found.former.start}..${found.former.end} ${found.isCutAtHour}`;
    };

    test.each([
      ['2026-10-01..2026-10-31', 'previous', '2026-09-01..2026-09-30 false'],
      ['2026-10-01..2026-10-31', 'year', '2025-10-01..2025-10-31 false'],
      ['2026-10-01..2026-10-31', 'none', undefined],
      ['2026-11-22..2026-11-22', 'previous', '2026-11-21..2026-11-21 true'],
      ['2026-11-16..2026-11-22', 'year', '2025-11-16..2025-11-22 true'],
      ['2026-11-15..2026-11-22', 'previous', '2026-11-07..2026-11-14 false'],
      ['2026-11-15..2026-11-23', 'previous', undefined],
    ] as const)('%s compared with %s on 22 November is %s', (days, choice, expected) => {
      expect(compared(days, choice, '2026-11-22')).toBe(expected);
    });
  });

  test('is not compared if the query filters by status or uses another date', () => {
    expect(partMisleadingComparison(readView('?status=1'))).toBe('status');
    expect(partMisleadingComparison(readView('?exclude_status=2'))).toBe('status');
    expect(partMisleadingComparison(readView('?date_field=updated_at'))).toBe('date');
    expect(partMisleadingComparison(readView('?country=FR'))).toBeUndefined();
  });

  test('is split into bars that cover each of its days once', () => {
    const period = { start: '2025-12-30', end: '2026-03-02' };
    for (const granularity of ['day', 'week', 'month'] as const) {
      const bars = bucketsIn(period, granularity, 'UTC').map(({ days }) => days);
      expect([bars[0]?.start, bars.at(-1)?.end]).toEqual([period.start, period.end]);
      for (const [at, bar] of bars.entries()) {
        if (at > 0)
          expect(formerDays({ start: bar.start, end: bar.start }, 'previous').end).toBe(
            bars[at - 1]?.end,
          );
      }
    }
    expect(granularityOf({ start: '2026-01-01', end: '2026-01-31' })).toBe('day');
    expect(granularityOf({ start: '2026-01-01', end: '2026-12-31' })).toBe('week');
    expect(granularityOf({ start: '2020-01-01', end: '2026-12-31' })).toBe('month');
  });
});

test('every row of a list is in exactly one segment, in the order of the list', () => {
  const days = fc.uniqueArray(
    fc.record({ day: fc.integer({ min: 1, max: 28 }), count: fc.integer({ min: 1, max: 3000 }) }),
    {
      selector: ({ day }) => day,
      minLength: 1,
    },
  );
  fc.assert(
    fc.property(days, fc.constantFrom('asc', 'desc'), (counts, order) => {
      const groups = counts.map(({ day, count }) => ({
        day: `2026-02-${String(day).padStart(2, '0')}`,
        count,
      }));
      const segments = segmentsOf(groups, order);
      const sum = counts.reduce((all, { count }) => all + count, 0);
      expect(rowCountOf(segments)).toBe(sum);
      for (const [at, { first, count, start, end }] of segments.entries()) {
        expect(segmentAt(segments, first)).toBe(at);
        expect(segmentAt(segments, first + count - 1)).toBe(at);
        const inside = groups.filter(({ day }) => day >= start && day <= end);
        expect(inside.reduce((all, one) => all + one.count, 0)).toBe(count);
      }
    }),
  );
});

test('a filter cannot break out of the quotes of a command', () => {
  const command = curlOf('https://x.example/', 'admin', {
    type: 'sales',
    subid: "it's; rm -rf '$HOME'",
  });
  expect(command).toContain("subid=it%27s%3B+rm+-rf+%27%24HOME%27'");
  expect(command).not.toContain('trx_');
});
