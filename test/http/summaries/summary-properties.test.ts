import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GROUPINGS, MAX_GROUPINGS } from '../../../src/contract/query/groupings.ts';
import { KINDS, type Kind } from '../../../src/contract/record/kinds.ts';
import type { StoreKind } from '../../support/databases/tested-stores.ts';
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
} from '../../support/requests/random-requests.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { applicableTo, fileRow, ndjson } from '../../support/rows/file-rows.ts';
import { transactions, writtenDate } from '../../support/rows/random-transactions.ts';
import { type JsonRecord, type RecordOfKind, summaryOf } from '../../support/rows/summaries.ts';
import { fc } from '../../support/run/properties.ts';
import { inFull, SEED } from '../../support/run/test-extent.ts';

const ROWS = 600;

/** Repeats a run with the same data and queries. fast-check prints it if a test fails. */
const seed = SEED;

const kinds = fc.shuffledSubarray([...KINDS], { minLength: 1, maxLength: 3 });

const widePeriods = fc.oneof(
  { weight: 3, arbitrary: fc.constant(FEW_YEARS) },
  { weight: 1, arbitrary: fc.constant(EVER) },
);

/** Every second query selects so many records that groups are large. */
const asked = fc
  .tuple(randomRequests, fc.option(widePeriods, { freq: 1 }))
  .map(([request, period]): RandomRequest => {
    if (period === null) return request;
    const { principal, type, date_field, order, status, program_id } = request;
    const none = {
      transaction_id: undefined,
      clickid: undefined,
      subid: undefined,
      country: undefined,
      device_type: undefined,
    };
    const wide = { principal, type, date_field, order, status, program_id, period, ...none };
    return { ...wide, publisher_id: undefined };
  });
const groupings = fc.shuffledSubarray([...GROUPINGS], { maxLength: MAX_GROUPINGS });

/** Enough groups to compare, in addition to the random queries. */
const SAME_GROUPS_TWICE: [RandomRequest, Kind[], (typeof GROUPINGS)[number][]][] = [
  [ALL_SALES, [...KINDS], ['month', 'status']],
  [ALL_SALES, [...KINDS], ['status', 'month']],
];

/** A value with six decimal places, with fewer, or with none. */
const amountOf = (number: number): number | null =>
  number % 7 === 0 ? null : ((number * 7_919) % 99_999_999) / 10 ** (number % 7);

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

const SERVICES: readonly { store: StoreKind; zone: string; runs: number }[] = inFull(
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
    const sampled = fc.sample(transactions, { numRuns: ROWS, seed });
    const rows = [...new Map(sampled.map((row) => [row.transaction_id, row])).values()];
    const lines = rows.map(({ instant, updated, validated, ...row }, at) => {
      const sums = {
        total: at % 5 === 0 ? null : (at * 7_919) % 1_000_003,
        remu_program: amountOf(at),
        remu_publisher: amountOf(at + 1),
        amount: amountOf(at + 2),
      };
      return fileRow({
        ...row,
        ...applicableTo(row.type, sums),
        device_os: ['Android', 'iOS', null][at % 3] ?? null,
        browser: ['', 'Firefox', null][at % 3] ?? null,
        created_at: writtenDate(instant, zone, at),
        updated_at: writtenDate(updated, zone, at + 1),
        validation_date: validated === null ? null : writtenDate(validated, zone, at + 2),
      });
    });
    await service.importText(ndjson(lines));
  });

  afterAll(async () => await service.close());

  async function listed(
    request: RandomRequest,
    types: readonly Kind[],
  ): Promise<readonly RecordOfKind[]> {
    const lists = types.map(async (kind) => {
      const path = pathOf({ ...request, type: kind });
      const records = await (await service.get(path, tokenOf(request.principal))).json();
      return (records as readonly JsonRecord[]).map((record) => ({ kind, record }));
    });
    return (await Promise.all(lists)).flat();
  }

  test('a summary has the sums of the lists, and its fingerprints are equal if the records are', async () => {
    const contents = new Map<string, string>();
    const fingerprints = new Map<string, string>();
    let groups = 0;
    await fc.assert(
      fc.asyncProperty(asked, kinds, groupings, async (request, types, by) => {
        const { principal, date_field = 'created_at' } = request;
        const path = summaryPath(request, types, by);
        const response = await service.get(path, tokenOf(principal));
        expect(response.status).toBe(isAllowed(request) ? 200 : 403);
        if (!isAllowed(request)) return;
        const answer = (await response.json()) as readonly JsonRecord[];
        const rows = await listed(request, types);
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
