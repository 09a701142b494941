import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { daysIn } from '../../../src/contract/query/calendar.ts';
import { FILTERS, type FilterName } from '../../../src/contract/query/filters/filters.ts';
import {
  GROUPINGS,
  type Grouping,
  groupingsOf,
  MAX_GROUPINGS,
  TIME_UNITS,
} from '../../../src/contract/query/groupings.ts';
import { KINDS, type Kind } from '../../../src/contract/record/kinds.ts';
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
import { rowsWithSums } from '../../support/rows/rows-with-sums.ts';
import { type JsonRecord, type RecordOfKind, summaryOf } from '../../support/rows/summaries.ts';
import { fc } from '../../support/run/properties.ts';
import { fullOrShort, SEED } from '../../support/run/test-extent.ts';

const ROWS = fullOrShort(600, 300);

/** The seed of the data and the queries. fast-check prints it if a test fails; `TEST_SEED` repeats the run. */
const seed = SEED;

const kinds = fc.shuffledSubarray([...KINDS], { minLength: 1, maxLength: 3 });

const widePeriods = fc.oneof(
  { weight: 3, arbitrary: fc.constant(FEW_YEARS) },
  { weight: 1, arbitrary: fc.constant(EVER) },
);

/** Filters that most records pass. */
const WIDE: readonly FilterName[] = [
  'status',
  'exclude_country',
  'exclude_subid',
  'exclude_orderid',
];

/** Every second query selects so many records that groups are large. */
const asked = fc
  .tuple(randomRequests, fc.option(widePeriods, { freq: 1 }))
  .map(([request, period]): RandomRequest => {
    if (period === null) return request;
    const narrow = FILTERS.filter((name) => !WIDE.includes(name));
    return { ...withoutFilters(request, narrow), period, publisher_id: undefined };
  });
/** Groupings except `age`, because ages depend on the day of the test. */
const groupings = fc.shuffledSubarray(
  GROUPINGS.filter((grouping) => grouping !== 'age'),
  { maxLength: MAX_GROUPINGS },
);

/** The groupings that the role has and the period allows. */
const allowed = ({ principal, period }: RandomRequest, by: readonly Grouping[]) =>
  by.filter(
    (grouping) =>
      groupingsOf(principal.role).includes(grouping) &&
      (grouping !== 'hour' || daysIn(...period) <= TIME_UNITS.hour.maxDays),
  );

/**
 * Two queries of many records, in addition to the random queries. Their groups are the same, so that the
 * fingerprints of equal groups are compared.
 */
const SAME_GROUPS_TWICE: [RandomRequest, Kind[], (typeof GROUPINGS)[number][]][] = [
  [ALL_SALES, [...KINDS], ['month', 'status']],
  [ALL_SALES, [...KINDS], ['status', 'month']],
];

function summaryPath(
  request: RandomRequest,
  types: readonly Kind[],
  by: readonly string[],
): string {
  const { pathname, searchParams } = new URL(pathOf(request), 'http://service');
  searchParams.delete('order');
  searchParams.set('type', types.join(','));
  if (by.length > 0) searchParams.set('group_by', by.join(','));
  return `${pathname}/summary?${searchParams}`;
}

/** The set of records that a fingerprint stands for, in any order. */
const contentOf = (rows: readonly RecordOfKind[]): string =>
  JSON.stringify(rows.map((row) => JSON.stringify(row)).sort());

const SERVICES: readonly { store: StoreKind; zone: string; runs: number }[] = fullOrShort(
  [
    { store: 'embedded', zone: 'Europe/Paris', runs: 40 },
    { store: 'embedded', zone: 'America/New_York', runs: 20 },
    { store: 'server', zone: 'UTC', runs: 16 },
    { store: 'cluster', zone: 'Europe/Paris', runs: 12 },
  ],
  [{ store: 'embedded', zone: 'America/New_York', runs: 12 }],
);

describe.each(SERVICES)('on the store $store in the time zone $zone', ({ store, zone, runs }) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ store, timeZone: zone, verifyJwt });
    await service.importText(ndjson(rowsWithSums(ROWS, zone)));
  });

  afterAll(async () => await service.close());

  test('a summary has the sums of the lists, and its fingerprints are equal if the records are', async () => {
    const contents = new Map<string, string>();
    const fingerprints = new Map<string, string>();
    let groups = 0;
    await fc.assert(
      fc.asyncProperty(asked, kinds, groupings, async (request, types, chosen) => {
        const by = allowed(request, chosen);
        const { principal, date_field = 'created_at' } = request;
        const path = summaryPath(request, types, by);
        const response = await service.get(path, tokenOf(principal));
        expect(response.status).toBe(isAllowed(request) ? 200 : 403);
        if (!isAllowed(request)) return;
        const answer = (await response.json()) as readonly JsonRecord[];
        const rows = await listedRows(service, request, types);
        const expected = summaryOf(rows, principal.role, by, date_field);
        expect(answer.map(({ fingerprint, ...group }) => Object.entries(group))).toEqual(
          expected.map(({ record }) => Object.entries(record)),
        );
        for (const [at, group] of expected.entries()) {
          const fingerprint = String(answer[at]?.fingerprint);
          const content = contentOf(group.rows);
          expect(contents.get(fingerprint) ?? content).toBe(content);
          expect(fingerprints.get(content) ?? fingerprint).toBe(fingerprint);
          contents.set(fingerprint, content);
          fingerprints.set(content, fingerprint);
          groups += 1;
        }
      }),
      { numRuns: runs, seed, examples: SAME_GROUPS_TWICE },
    );
    expect(groups).toBeGreaterThan(runs);
    expect(fingerprints.size).toBeLessThan(groups);
  });
});
