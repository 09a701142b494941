import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RECORD_FIELDS } from '../../src/contract/record/records.ts';
import { CachedMonth } from '../../src/months/cached-month.ts';
import { MonthSearch } from '../../src/months/month-search.ts';
import { MONTH_TABLES } from '../../src/months/month-statement.ts';
import { PartsRead } from '../../src/months/parts-read.ts';
import { BlockBuilder } from '../../src/months/rows/block-builder.ts';
import { compareKeys, type RowKey, rowsIn } from '../../src/months/rows/stored-row.ts';
import { PageThread } from '../../src/months/thread/page-thread.ts';
import { rowWriter } from '../../src/months/writing/record-writer.ts';
import { firstRows, writtenPage } from '../../src/months/writing/written-page.ts';
import type { ListPlan } from '../../src/plan/list-plan.ts';
import type { Page } from '../../src/reading/pages/page.ts';
import { planWith } from '../support/requests/plans.ts';
import { fc, runCount } from '../support/run/properties.ts';

/** Seconds of a month. */
const MONTH = 1000;
const MONTHS = 5;
const WEBSITES = 5;

/** Bytes of the frame, which precedes a row's text. */
const FRAME = 34;

function rowOf({ kind, owner, at, transactionId }: RowKey, size: number): Buffer {
  const text = JSON.stringify({ owner, at, transactionId, rest: 'x'.repeat(size) });
  const frame = Buffer.alloc(FRAME);
  frame.writeUInt32LE(text.length, 0);
  frame.writeUInt32LE(1, 4);
  frame.writeUInt32LE(at, 8);
  frame.writeUInt32LE(transactionId, 16);
  frame.writeUInt32LE(owner, 24);
  frame.writeUInt8(kind, 32);
  return Buffer.concat([frame, Buffer.from(text)]);
}

interface Content {
  readonly rows: number;
  /** Bytes of a row, about. A block has at least 12,288. */
  readonly size: number;
  /** Different rows for each value. */
  readonly factor: number;
  /** Whether the month is one of a table that is sorted by time, as for administrators. */
  readonly isByTime: boolean;
}

function monthOf(month: number, { rows, size, factor, isByTime }: Content): CachedMonth {
  const keys = Array.from({ length: rows }, (_, nth) => ({
    kind: 1 + (nth % 2),
    owner: isByTime ? 0 : 1 + ((nth * factor) % WEBSITES),
    at: month * MONTH + ((nth * nth * factor) % MONTH),
    transactionId: nth,
  }));
  const builder = new BlockBuilder();
  for (const key of keys.sort(compareKeys)) {
    for (const row of rowsIn(rowOf(key, size))) builder.add(row);
  }
  return new CachedMonth({
    table: MONTH_TABLES.affiliate,
    partition: String(month),
    partsRead: new PartsRead([]),
    blocks: builder.finish(),
    changes: [],
    changeIndex: undefined,
  });
}

const content = {
  rows: fc.oneof(fc.nat(20), fc.nat(400)),
  size: fc.oneof(fc.nat(200), fc.nat(3000)),
  factor: fc.integer({ min: 1, max: 1000 }),
};

const query = fc.record({
  websites: fc.uniqueArray(fc.integer({ min: 1, max: WEBSITES + 1 }), {
    minLength: 1,
    maxLength: 3,
  }),
  from: fc.nat(MONTHS * MONTH),
  length: fc.nat(MONTHS * MONTH),
  order: fc.constantFrom('asc', 'desc'),
  limit: fc.option(fc.oneof(fc.nat(10), fc.nat(300)), { nil: undefined }),
  /** How many of the newest months are cached. */
  cached: fc.constantFrom(MONTHS, MONTHS, 2),
});

type Query = typeof query extends fc.Arbitrary<infer Value> ? Value : never;

const pages = new PageThread((error) => {
  throw error;
});

beforeAll(async () => {
  await pages.write(() => undefined);
  await pages.settled();
});

afterAll(async () => await pages.close());

/** Searches of the same query, each with the months that it has used. */
function searchOf(months: readonly CachedMonth[], isByTime: boolean, asked: Query) {
  const { websites, from, length, order, limit, cached } = asked;
  const plan: ListPlan = planWith({
    role: 'affiliate',
    fields: RECORD_FIELDS.affiliate,
    from,
    until: from + length,
    order,
    ...(limit === undefined ? {} : { limit }),
  });
  const key = (owner: number, at: number) => ({ kind: 1, owner, at, transactionId: 0 });
  const ranges = (isByTime ? [0] : websites).map((owner) => ({
    low: key(owner, from),
    high: key(owner, from + length),
  }));
  const used: number[] = [];
  const wanted = months.map((month, at) => {
    const peek = () => (at >= MONTHS - cached ? month : undefined);
    const use = () => {
      used.push(at);
      return peek();
    };
    return { peek, use };
  });
  const search = new MonthSearch(
    plan,
    {
      table: MONTH_TABLES.affiliate,
      ranges,
      owners: undefined,
      isSelected: undefined,
      isFiltered: false,
    },
    order === 'asc' ? wanted : wanted.toReversed(),
  );
  return { plan, search, used };
}

function ownPage({ plan, search }: ReturnType<typeof searchOf>) {
  const rows = firstRows(search.rows(), search.limit);
  const page = search.isGivenUp ? undefined : writtenPage(rows, rowWriter(plan));
  search.close();
  return page;
}

/** A page without its memory. */
function contentOf(page: Page | undefined) {
  const { room: _, release: __, ...content } = { ...page, bytes: page?.bytes.toString() };
  return content;
}

/** With one processor there is no page thread. */
const hasProcessors = availableParallelism() > 1;

let written = 0;

test.runIf(hasProcessors)(
  'a page of the page thread equals that of the main thread, and needs no month that is not cached',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.tuple(...Array.from({ length: MONTHS }, () => fc.record(content))),
        fc.array(query, { minLength: 8, maxLength: 8 }),
        async (isByTime, contents, queries) => {
          const months = contents.map((each, at) => monthOf(at, { ...each, isByTime }));
          await Promise.all(
            queries.map(async (asked) => {
              const { search, used } = searchOf(months, isByTime, asked);
              const page = await pages.write(() => search.task());
              expect(used.every((at) => at >= MONTHS - asked.cached)).toBe(true);
              if (page === undefined) return;
              written += 1;
              expect(contentOf(page)).toEqual(
                contentOf(ownPage(searchOf(months, isByTime, asked))),
              );
              page.release?.();
            }),
          );
        },
      ),
      { numRuns: runCount(80) },
    );
    expect(written).toBeGreaterThan(100);
  },
);

test.runIf(hasProcessors)(
  'a page of few rows needs only the first months of a long period',
  async () => {
    // One block a month, with rows of all websites, so nothing tells in advance how many rows a website has.
    const few = { rows: 10, size: 2000, factor: 7, isByTime: false };
    const months = Array.from({ length: 40 }, (_, at) => monthOf(at, few));
    const asked: Query = {
      limit: 3,
      websites: [1],
      from: 0,
      length: 40 * MONTH,
      order: 'desc',
      cached: MONTHS,
    };
    const { search, used } = searchOf(months, false, asked);
    expect(search.task()?.isComplete).toBe(false);
    expect(used.length).toBeGreaterThan(3);
    expect(used.length).toBeLessThan(30);
    const page = await pages.write(() => search.task());
    expect(page?.rows).toBe(3);
    expect(contentOf(page)).toEqual(contentOf(ownPage(searchOf(months, false, asked))));
  },
);
