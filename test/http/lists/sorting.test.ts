import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_URL_LENGTH } from '../../../src/contract/problems/problems.ts';
import { FORMAT_NAMES } from '../../../src/contract/query/formats.ts';
import { DATE_FIELDS, ORDERS } from '../../../src/contract/query/parameters.ts';
import { listSorts } from '../../../src/contract/query/sorting/list-sorts.ts';
import { sortOf } from '../../../src/contract/query/sorting/sort.ts';
import {
  CURSOR_LENGTH,
  MAX_SORTED_BYTES,
  MAX_SORTED_CURSOR_LENGTH,
} from '../../../src/contract/query/sorting/sorted-bytes.ts';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import { fieldNamesOf, ROLES, type Role } from '../../../src/contract/record/records.ts';
import { plainStatement } from '../../../src/plan/sql.ts';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { FORMS, type JsonRecord } from '../../support/requests/forms-of-lists.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { type FileRow, fileRow, ndjson } from '../../support/rows/file-rows.ts';
import { secondVersions, sortableRows } from '../../support/rows/random/sortable-rows.ts';
import { fc } from '../../support/run/properties.ts';
import { fullOrShort, SEED } from '../../support/run/test-extent.ts';

const NEXT = /^<([^>]+)>; rel="next"$/;

/** The period of the random rows. */
const RANDOM_ROWS = 'start_date=2025-12-01&end_date=2026-02-28';

/** Many records, whose fields have few different values. */
const ROWS = fullOrShort(240, 120);

const lists = fc.record({
  role: fc.constantFrom(...ROLES),
  sort: fc.nat(),
  type: fc.constantFrom(...KINDS),
  parameters: fc.record({
    order: fc.constantFrom(undefined, ...ORDERS),
    date_field: fc.constantFrom(undefined, ...DATE_FIELDS),
    publisher_id: fc.constantFrom(undefined, undefined, '101', '101,102'),
    program_id: fc.constantFrom(undefined, undefined, '10'),
    status: fc.constantFrom(undefined, undefined, '0,1'),
    exclude_country: fc.constantFrom(undefined, undefined, 'FR'),
    device_type: fc.constantFrom(undefined, undefined, undefined, 'mobile'),
  }),
  limit: fc.integer({ min: 1, max: 30 }),
});

type List = typeof lists extends fc.Arbitrary<infer Value> ? Value : never;

const sortIn = ({ role, sort }: List): string => {
  const sorts = listSorts(role);
  return sorts[sort % sorts.length] ?? '';
};

/** The path of a list with more parameters. */
function pathOf({ role, type, parameters }: List, more: Readonly<Record<string, string>>): string {
  const given = Object.entries({ ...parameters, ...more }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const query = new URLSearchParams([...given, ['type', type]]);
  return `/api/${role}/transactions?start_date=2025-12-01&end_date=2026-03-01&${query}`;
}

/** A plain comparison of values that are not null. */
function compared(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const bytes = (text: unknown) => Buffer.from(String(text)).subarray(0, MAX_SORTED_BYTES);
  return Buffer.compare(bytes(one), bytes(other));
}

/** Sorts the records of a list: null is last, and records with equal values keep their order. */
function sorted(records: readonly JsonRecord[], sort: string): readonly JsonRecord[] {
  const { by, isDescending } = sortOf(sort);
  const known = records.filter((record) => record[by] !== null);
  const signed = (one: JsonRecord, other: JsonRecord) =>
    compared(one[by], other[by]) * (isDescending ? -1 : 1);
  return [...known.sort(signed), ...records.filter((record) => record[by] === null)];
}

/** A record of CSV is a list of its values with their names. */
const idOf = (record: unknown): number =>
  Number(
    (Array.isArray(record) ? Object.fromEntries(record) : (record as JsonRecord)).transaction_id,
  );

/** The last digits of the identifiers of the rows below. */
const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** The only sales of May. Their click identifiers are longer than what is compared of them. */
const LONG_CLICKIDS = NUMBERS.map((id) =>
  fileRow({
    transaction_id: 3_000_000 + id,
    clickid: `${'é'.repeat(260)}${id}`,
    created_at: '2026-05-01 12:00:00',
  }),
);

const lead = (id: number, status: number): FileRow =>
  fileRow({
    type: 'leads',
    transaction_id: 2_000_000 + id,
    status,
    validation_date: status === 1 ? '2026-04-03 09:00:00' : null,
    created_at: '2026-04-01 12:00:00',
    updated_at: `2026-04-0${id === 5 ? 4 - status : 2} 12:00:00`,
  });

/** The only leads of April. */
const LEADS = NUMBERS.map((id) => lead(id, Math.floor((id - 1) / 3)));

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;
  let tokens: Readonly<Record<Role, string>>;

  beforeAll(async () => {
    service = await startService({ store });
    tokens = {
      admin: await service.token({}),
      affiliate: await service.token({ role: 'affiliate', publisherIds: [100, 101, 102] }),
    };
    const rows = sortableRows(ROWS, SEED);
    await insertRows(service.database, [...rows, ...LONG_CLICKIDS, ...LEADS]);
    await service.importText(ndjson(secondVersions(rows, SEED + 1)));
  });

  afterAll(async () => await service.close());

  const ask = async (list: List, more: Readonly<Record<string, string>> = {}) =>
    await service.get(pathOf(list, more), tokens[list.role]);

  /** The list without `sort`. If there is no `order`, a sort by the period's date still sets the direction. */
  const whole = async (list: List) => {
    const { order, date_field = 'created_at' } = list.parameters;
    const { by, isDescending } = sortOf(sortIn(list));
    const usual = by === date_field && isDescending ? 'desc' : 'asc';
    return (await (await ask(list, { order: order ?? usual })).json()) as JsonRecord[];
  };

  const nextOf = (response: Response) => NEXT.exec(response.headers.get('link') ?? '')?.[1];

  /** All pages of a sorted list. */
  async function pagesOf(list: List): Promise<readonly JsonRecord[]> {
    const records: JsonRecord[] = [];
    let response = await ask(list, { sort: sortIn(list), limit: String(list.limit) });
    for (;;) {
      expect(response.status).toBe(200);
      records.push(...((await response.json()) as JsonRecord[]));
      const next = nextOf(response);
      if (next === undefined) return records;
      response = await service.get(next, tokens[list.role]);
    }
  }

  test('the pages of a sorted list together are the whole list, sorted by a plain comparison', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (list) => {
        expect(await pagesOf(list)).toEqual(sorted(await whole(list), sortIn(list)));
      }),
      { numRuns: fullOrShort(store === 'embedded' ? 400 : 60, 12) },
    );
  });

  test('a page from any offset has the records of that place, in every format', async () => {
    await fc.assert(
      fc.asyncProperty(
        lists,
        fc.nat(40),
        fc.constantFrom(...FORMAT_NAMES),
        async (list, offset, form) => {
          const page = { sort: sortIn(list), limit: String(list.limit), offset: String(offset) };
          const expected = sorted(await whole(list), sortIn(list)).slice(offset);
          const fields = 'status_label,transaction_id';
          const response = await ask(list, { ...page, fields, ...FORMS[form].asked });
          const found: readonly unknown[] = await FORMS[form].read(response);
          expect(found.map(idOf)).toEqual(
            expected.slice(0, list.limit).map((record) => record.transaction_id),
          );
          expect(nextOf(response) !== undefined).toBe(expected.length > list.limit);
        },
      ),
      { numRuns: fullOrShort(60, 10) },
    );
  });

  test.each([
    'sort=-created_at',
    'sort=created_at',
    'sort=created_at&order=desc',
    'sort=-updated_at&date_field=updated_at',
    'sort=validation_date&date_field=validation_date',
  ])('with %s (the queried date), pages reach the last row, also after an offset', async (sort) => {
    const path = `/api/admin/transactions?type=sales&start_date=2025-12-01&end_date=2026-03-01&${sort}`;
    const idsFrom = async (asked: string | undefined): Promise<readonly number[]> => {
      if (asked === undefined) return [];
      const response = await service.get(asked, tokens.admin);
      expect(response.status).toBe(200);
      const ids = ((await response.json()) as JsonRecord[]).map(idOf);
      return [...ids, ...(await idsFrom(nextOf(response)))];
    };
    const all = await idsFrom(`${path}&limit=10000`);
    expect(all.length).toBeGreaterThan(7);
    expect(await idsFrom(`${path}&limit=7`)).toEqual(all);
    expect(await idsFrom(`${path}&limit=7&offset=3`)).toEqual(all.slice(3));
  });

  /** The path of the first page of a list of sales, and the cursor of the next page. */
  async function firstPage(more: string, role: Role = 'admin', period = RANDOM_ROWS) {
    const path = `/api/${role}/transactions?type=sales&${period}&limit=5&${more}`;
    const next = nextOf(await service.get(path, tokens[role])) ?? '';
    return { path, cursor: new URL(next, service.url).searchParams.get('cursor') ?? '' };
  }

  async function expectRefused(path: string, parameter: string, role: Role = 'admin') {
    const response = await service.get(path, tokens[role]);
    const body = (await response.json()) as { errors: { parameter: string; detail: string }[] };
    expect([response.status, body.errors.map((fault) => fault.parameter)]).toEqual([
      400,
      [parameter],
    ]);
    return body.errors[0]?.detail ?? '';
  }

  test('a cursor is valid only unchanged, with its own sort and principal', async () => {
    const { path, cursor } = await firstPage('sort=-last_referer');
    expect((await service.get(`${path}&cursor=${cursor}`, tokens.admin)).status).toBe(200);
    for (const other of ['last_referer', '-first_referer', '-transaction_id']) {
      const asked = path.replace('-last_referer', other);
      await expectRefused(`${asked}&cursor=${cursor}`, 'cursor');
    }
    const unsorted = path.replace('&sort=-last_referer', '');
    await expectRefused(`${unsorted}&cursor=${cursor}`, 'cursor');
    await expectRefused(`${path}&cursor=${(await firstPage('')).cursor}`, 'cursor');
    for (let at = 0; at < cursor.length; at += 7) {
      const letter = cursor[at] === 'A' ? 'B' : 'A';
      const changed = cursor.slice(0, at) + letter + cursor.slice(at + 1);
      await expectRefused(`${path}&cursor=${changed}`, 'cursor');
    }
    const own = await firstPage('sort=subid', 'affiliate');
    const another = await service.token({ role: 'affiliate', publisherIds: [100, 101, 102] });
    const answer = await service.get(`${own.path}&cursor=${own.cursor}`, another);
    expect(answer.status).toBe(400);
  });

  test('a cursor shows no value, and a page from it may have other fields, formats and sizes', async () => {
    const period = 'start_date=2026-05-01&end_date=2026-05-31';
    const { path, cursor } = await firstPage('sort=-clickid', 'admin', period);
    const records = (await (await service.get(path, tokens.admin)).json()) as JsonRecord[];
    const value = Buffer.from(String(records.at(-1)?.clickid));
    expect(value.length).toBeGreaterThan(MAX_SORTED_BYTES);
    expect(cursor).toHaveLength(MAX_SORTED_CURSOR_LENGTH);
    for (let at = 0; at < MAX_SORTED_BYTES; at += 8) {
      expect(Buffer.from(cursor, 'base64url').includes(value.subarray(at, at + 8))).toBe(false);
    }
    const rest = `${path.replace('limit=5', 'limit=3')}&format=csv&fields=clickid&cursor=${cursor}`;
    expect((await (await service.get(rest, tokens.admin)).text()).split('\r\n')).toHaveLength(5);
  });

  test('a page of the maximum size has all its records, also with the longest identifiers', async () => {
    const instant = `toDateTime(1772323200 + number, 'UTC')`;
    await service.database.engine.execute(
      plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, created_at, updated_at)
SELECT 'sales', ${Number.MAX_SAFE_INTEGER} - number, 10, 9007199254740000, 1, number % 3, ${instant}, ${instant}
FROM numbers(10001)`),
    );
    const path = '/api/admin/transactions?type=sales&start_date=2026-03-01&end_date=2026-03-31';
    const page = `${path}&sort=transaction_id&limit=10000&fields=transaction_id`;
    const response = await service.get(page, tokens.admin);
    const ids = ((await response.json()) as { transaction_id: number }[]).map(
      ({ transaction_id }) => transaction_id,
    );
    const least = Number.MAX_SAFE_INTEGER - 10_000;
    expect(ids).toEqual(Array.from({ length: 10_000 }, (_, at) => least + at));
    const last = await service.get(nextOf(response) ?? '', tokens.admin);
    expect(await last.json()).toEqual([{ transaction_id: Number.MAX_SAFE_INTEGER }]);
  });

  test('a page goes on at the same place after its last record has changed', async () => {
    const path = '/api/admin/transactions?type=leads&start_date=2026-04-01&end_date=2026-04-30';
    const idsOf = async (response: Response) =>
      ((await response.json()) as JsonRecord[]).map(
        ({ transaction_id }) => Number(transaction_id) - 2_000_000,
      );
    const page = await service.get(`${path}&sort=status&limit=5`, tokens.admin);
    const next = nextOf(page) ?? '';
    expect(await idsOf(page)).toEqual([1, 2, 3, 4, 5]);
    await service.importText(ndjson([lead(5, 0)]));
    expect(await idsOf(await service.get(next, tokens.admin))).toEqual([6, 7, 8, 9]);
  });

  test('a URL whose next link could be too long is refused before the first page', async () => {
    const path =
      '/api/admin/transactions?type=sales&start_date=2025-12-01&end_date=2026-02-28&limit=1';
    const statusOf = async (sort: string, cursorLength: number, more: number) => {
      const asked = `${path}${sort}&status=0`;
      const rest = MAX_URL_LENGTH - '&cursor='.length - cursorLength - asked.length;
      const given = `${asked}${',0'.repeat(Math.floor(rest / 2) + more)}`;
      return (await service.get(given, tokens.admin)).status;
    };
    for (const [sort, cursorLength] of [
      ['', CURSOR_LENGTH],
      ['&sort=-referer', MAX_SORTED_CURSOR_LENGTH],
    ] as const) {
      expect(await statusOf(sort, cursorLength, 0)).toBe(200);
      expect(await statusOf(sort, cursorLength, 1)).toBe(414);
    }
  });

  test('Prefer: count=exact counts all records of a sorted list', async () => {
    const { path } = await firstPage('sort=amount');
    const headers = { prefer: 'count=exact' };
    const total = (await service.get(`${path}&offset=3`, tokens.admin, headers)).headers;
    const whole = await service.get(path.replace('&limit=5&sort=amount', ''), tokens.admin);
    expect(total.get('x-total-count')).toBe(String(((await whole.json()) as unknown[]).length));
  });

  test.each([
    ['sort=-amount', 'sort', 'Can only be used with limit.'],
    ['limit=5&offset=5', 'offset', 'Can only be used with sort. Set limit to get pages'],
    ['limit=5&sort=status_label', 'sort', 'use "status".'],
    ['limit=5&sort=-program_name', 'sort', 'use "-program_id".'],
    ['limit=5&sort=-amuont', 'sort', 'Did you mean "-amount"?'],
    ['limit=5&sort=nothing', 'sort', 'Must be a field of the record'],
    ['limit=0&sort=-amount', 'limit', 'Must be a whole number'],
  ])('the query %s is refused with the reason', async (query, parameter, reason) => {
    const path = `/api/admin/transactions?type=sales&start_date=2026-01-01&end_date=2026-01-31`;
    expect(await expectRefused(`${path}&${query}`, parameter)).toContain(reason);
  });

  test('an offset beside a cursor is refused', async () => {
    const { path, cursor } = await firstPage('sort=amount');
    await expectRefused(`${path}&offset=5&cursor=${cursor}`, 'offset');
  });

  test('fields that only administrators read are unknown to affiliates, who are not told of them', async () => {
    const { path } = await firstPage('', 'affiliate');
    const own: readonly string[] = fieldNamesOf('affiliate');
    const told = await expectRefused(`${path}&sort=nothing`, 'sort', 'affiliate');
    for (const name of fieldNamesOf('admin').filter((field) => !own.includes(field))) {
      const detail = await expectRefused(`${path}&sort=-${name}`, 'sort', 'affiliate');
      expect(
        detail.replace(/ Did you mean "-(\w+)"\?/, (_, meant) => (own.includes(meant) ? '' : '!')),
      ).toBe(told);
    }
  });
});
