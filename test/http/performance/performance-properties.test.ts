import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { performanceMeasures } from '../../../src/contract/groups/performance-record.ts';
import { daysIn } from '../../../src/contract/query/calendar.ts';
import { COMPARISON_NAMES, type Comparison } from '../../../src/contract/query/compared-period.ts';
import { FILTERS } from '../../../src/contract/query/filters/filters.ts';
import {
  MAX_GROUPINGS,
  type PerformanceGrouping,
  performanceGroupingsOf,
  TIME_UNITS,
} from '../../../src/contract/query/groupings.ts';
import { PERFORMANCE_PARAMETERS } from '../../../src/contract/query/performance-parameters.ts';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import type { StoreKind } from '../../support/databases/tested-stores.ts';
import { listedRows } from '../../support/requests/listed-rows.ts';
import {
  ALL_SALES,
  EVER,
  FEW_YEARS,
  isAllowed,
  pathOf,
  type RandomRequest,
  randomRequests,
  tokenOf,
  verifyJwt,
  withoutFilters,
} from '../../support/requests/random-requests.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { ndjson } from '../../support/rows/file-rows.ts';
import { formerOf, shiftedRows } from '../../support/rows/former-rows.ts';
import { performanceOf, sortedBy } from '../../support/rows/performance.ts';
import { rowsWithSums } from '../../support/rows/rows-with-sums.ts';
import type { JsonRecord } from '../../support/rows/summaries.ts';
import { fc } from '../../support/run/properties.ts';
import { fullOrShort, SEED } from '../../support/run/test-extent.ts';

const ROWS = fullOrShort(600, 300);

/** Filters that performance does not have. */
const NOT_ASKED = FILTERS.filter((name) => !Object.hasOwn(PERFORMANCE_PARAMETERS, name));

/** Every second query selects so many records that groups are large. */
const asked = fc
  .tuple(randomRequests, fc.option(fc.constantFrom(FEW_YEARS, EVER), { freq: 1 }))
  .map(([request, period]): RandomRequest => {
    const { date_field: _, order: __, ...performance } = withoutFilters(request, NOT_ASKED);
    if (period === null) return performance;
    return { ...ALL_SALES, principal: request.principal, period };
  });

/** Groupings except `age`, because ages depend on the day of the test. */
const groupings = fc.shuffledSubarray(
  performanceGroupingsOf('admin').filter((grouping) => grouping !== 'age'),
  { maxLength: MAX_GROUPINGS },
);

/** A number that selects one of the role's measures, and whether the order is descending. */
const sorts = fc.option(fc.record({ at: fc.nat(), isDescending: fc.boolean() }));

const comparisons = fc.option(fc.constantFrom(...COMPARISON_NAMES));

const pages = fc.option(
  fc.record({ limit: fc.integer({ min: 1, max: 20 }), offset: fc.option(fc.nat(10)) }),
);

const allowed = ({ principal, period }: RandomRequest, by: readonly PerformanceGrouping[]) =>
  by.filter(
    (grouping) =>
      performanceGroupingsOf(principal.role).includes(grouping) &&
      (grouping !== 'hour' || daysIn(...period) <= TIME_UNITS.hour.maxDays),
  );

function performancePath(request: RandomRequest, more: Readonly<Record<string, unknown>>): string {
  const { searchParams } = new URL(pathOf(request), 'http://service');
  searchParams.delete('type');
  for (const [name, value] of Object.entries(more)) {
    if (value !== null && value !== '') searchParams.set(name, String(value));
  }
  return `/api/${request.principal.role}/performance?${searchParams}`;
}

/** Queries of many records, in addition to the random queries. */
const MANY: [
  RandomRequest,
  PerformanceGrouping[],
  { at: number; isDescending: boolean } | null,
  { limit: number; offset: number | null } | null,
  Comparison | null,
][] = [
  [ALL_SALES, ['coupon', 'support_id', 'subid'], { at: 24, isDescending: true }, null, null],
  [ALL_SALES, ['month', 'program_id'], null, { limit: 20, offset: 3 }, 'year'],
  [{ ...ALL_SALES, period: ['2024-03-01', '2024-03-31'] }, ['day'], null, null, 'previous'],
  [{ ...ALL_SALES, period: ['2024-02-01', '2024-03-31'] }, ['day'], null, null, 'month'],
  [{ ...ALL_SALES, period: ['2024-02-29', '2024-03-31'] }, ['hour', 'week'], null, null, 'year'],
  [{ ...ALL_SALES, period: ['2024-03-30', '2024-03-31'] }, ['day'], null, null, 'month'],
];

const SERVICES: readonly { store: StoreKind; zone: string; runs: number }[] = fullOrShort(
  [
    { store: 'embedded', zone: 'Europe/Paris', runs: 150 },
    { store: 'server', zone: 'America/New_York', runs: 40 },
    { store: 'cluster', zone: 'Europe/Paris', runs: 40 },
  ],
  [{ store: 'embedded', zone: 'America/New_York', runs: 10 }],
);

describe.each(SERVICES)('on the store $store in the time zone $zone', ({ store, zone, runs }) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ store, timeZone: zone, verifyJwt });
    await service.importText(ndjson(rowsWithSums(ROWS, zone)));
  });

  afterAll(async () => await service.close());

  /** The rows of the former period, with dates moved to the present one; undefined without a comparison. */
  async function formerRows(request: RandomRequest, compare: Comparison | null) {
    if (compare === null) return undefined;
    const former = formerOf(request.period, compare);
    const rows = await listedRows(service, { ...request, period: former.period }, KINDS);
    return shiftedRows(rows, former);
  }

  test('performance equals plain arithmetic on the lists, in every order and page', async () => {
    let records = 0;
    await fc.assert(
      fc.asyncProperty(
        asked,
        groupings,
        sorts,
        pages,
        comparisons,
        async (request, chosen, sorted, page, compare) => {
          const { principal } = request;
          const by = allowed(request, chosen);
          const measures = performanceMeasures(principal.role).map(({ name }) => name);
          const measure = measures[(sorted?.at ?? 0) % measures.length];
          const sort = sorted === null ? null : `${sorted.isDescending ? '-' : ''}${measure}`;
          const path = performancePath(request, { group_by: by.join(','), sort, compare, ...page });
          const response = await service.get(path, tokenOf(principal));
          expect(response.status).toBe(isAllowed(request) ? 200 : 403);
          if (!isAllowed(request)) return;
          const rows = await listedRows(service, request, KINDS);
          const all = performanceOf(rows, principal.role, by, await formerRows(request, compare));
          const inOrder = sort === null ? all : sortedBy(sort, all);
          const offset = page?.offset ?? 0;
          const expected = page === null ? inOrder : inOrder.slice(offset, offset + page.limit);
          const answer = (await response.json()) as readonly JsonRecord[];
          expect(answer.map((record) => Object.entries(record))).toEqual(
            expected.map((record) => Object.entries(record)),
          );
          const isLast = page === null || offset + page.limit >= all.length;
          expect(response.headers.get('link') === null).toBe(isLast);
          records += answer.length;
        },
      ),
      { numRuns: runs, seed: SEED, examples: MANY },
    );
    expect(records).toBeGreaterThan(runs);
  });
});
