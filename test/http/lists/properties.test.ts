import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldNamesOf } from '../../../src/contract/record/records.ts';
import type { Form } from '../../../src/plan/form.ts';
import { localTimeAt } from '../../contract/wall-clock.ts';
import type { StoreKind } from '../../support/databases/tested-stores.ts';
import {
  FORM_NAMES,
  FORMS,
  forms,
  type JsonRecord,
} from '../../support/requests/forms-of-lists.ts';
import {
  ALL_SALES,
  expectedRows,
  FEW_YEARS,
  isAllowed,
  pathOf,
  type RandomRequest,
  randomRequests,
  tokenOf,
  verifyJwt,
} from '../../support/requests/random-requests.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow, ndjson } from '../../support/rows/file-rows.ts';
import {
  type RandomTransaction,
  transactions,
  writtenDate,
} from '../../support/rows/random/random-transactions.ts';
import { fc } from '../../support/run/properties.ts';
import { everyNth } from '../../support/run/sampled.ts';
import { fullOrShort, SEED } from '../../support/run/test-extent.ts';

const ROWS = fullOrShort(600, 300);

/** The same seed gives the same data and queries. fast-check prints it if a test fails. */
const seed = SEED;

/** How many pages a list has at most. */
const MAX_PAGES = fullOrShort(12, 5);

const CODINGS = ['zstd', 'br', 'gzip'] as const;

const textForms = fc.constantFrom<Form>('json', 'ndjson', 'csv', 'excel', 'excel-en');

/** Some pages in every format, in addition to the random queries. In `npm test`, in half of the formats. */
const EACH_FORM = everyNth(FORM_NAMES, 2).map((form): [RandomRequest, number, Form] => [
  { ...ALL_SALES, period: FEW_YEARS },
  60,
  form,
]);

const SERVICES: readonly { store: StoreKind; zone: string; runs: number }[] = fullOrShort(
  [
    { store: 'embedded', zone: 'Europe/Paris', runs: 40 },
    { store: 'embedded', zone: 'America/New_York', runs: 24 },
    { store: 'embedded', zone: 'UTC', runs: 16 },
    { store: 'server', zone: 'America/New_York', runs: 16 },
    { store: 'cluster', zone: 'Europe/Paris', runs: 16 },
  ],
  // fields.test.ts checks that the lists of all stores are equal.
  [{ store: 'embedded', zone: 'America/New_York', runs: 8 }],
);

describe.each(SERVICES)('on the store $store in the time zone $zone', ({ store, zone, runs }) => {
  let service: TestService;
  let rows: readonly RandomTransaction[];

  beforeAll(async () => {
    service = await startService({ store, timeZone: zone, verifyJwt });
    const sampled = fc.sample(transactions, { numRuns: ROWS, seed });
    rows = [...new Map(sampled.map((row) => [row.transaction_id, row])).values()];
    const lines = rows.map(({ instant, updated, validated, ...row }, at) =>
      fileRow({
        ...row,
        created_at: writtenDate(instant, zone, at),
        updated_at: writtenDate(updated, zone, at + 1),
        validation_date: validated === null ? null : writtenDate(validated, zone, at + 2),
      }),
    );
    await service.importText(ndjson(lines));
  });

  afterAll(async () => await service.close());

  const ask = async (request: RandomRequest, more: Readonly<Record<string, string>> = {}) =>
    await service.get(pathOf(request, more), tokenOf(request.principal));

  const listed = async (request: RandomRequest, more: Readonly<Record<string, string>> = {}) =>
    (await (await ask(request, more)).json()) as readonly JsonRecord[];

  const shown = ({ instant, updated, validated, ...row }: RandomTransaction): JsonRecord => ({
    transaction_id: row.transaction_id,
    program_id: row.program_id,
    publisher_id: row.publisher_id,
    status: String(row.status),
    clickid: row.clickid,
    subid: row.subid,
    country: row.country,
    device_type: row.device_type,
    validation_date: validated === null ? null : localTimeAt(zone, validated),
    created_at: localTimeAt(zone, instant),
    updated_at: localTimeAt(zone, updated),
  });

  /** The records of a response in one format. */
  const shownIn = (form: Form, request: RandomRequest, records: readonly JsonRecord[]) => {
    const meant = expectedRows(request, rows, zone);
    return records.map((record, at) => FORMS[form].shown(record, meant[at]));
  };

  const allowed = randomRequests.filter(isAllowed);

  test('every response equals the rows of a plain filter, in order', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(randomRequests, async (request) => {
        const response = await ask(request);
        expect(response.status).toBe(isAllowed(request) ? 200 : 403);
        if (!isAllowed(request)) return;
        const expected = expectedRows(request, rows, zone).map(shown);
        const names = Object.keys(expected[0] ?? {});
        const answer = ((await response.json()) as readonly JsonRecord[]).map((record) =>
          Object.fromEntries(names.map((name) => [name, record[name]])),
        );
        found += answer.length;
        expect(answer).toEqual(expected);
      }),
      { numRuns: runs, seed, examples: [[ALL_SALES]] },
    );
    expect(found).toBeGreaterThan(runs);
  });

  test('pages of any size together are the whole response', async () => {
    const sizes = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 700 }));
    await fc.assert(
      fc.asyncProperty(allowed, sizes, forms, async (request, size, form) => {
        const whole = await listed(request);
        const least = Math.max(size, Math.ceil(whole.length / MAX_PAGES));
        const pages: unknown[] = [];
        const headers = { prefer: 'count=exact' };
        const { asked, read } = FORMS[form];
        let path: string | undefined = pathOf(request, { limit: String(least), ...asked });
        while (path !== undefined) {
          const response = await service.get(path, tokenOf(request.principal), headers);
          const page = await read(response);
          expect(response.headers.get('x-total-count')).toBe(String(whole.length));
          pages.push(...page);
          path = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
          expect(page.length === least || path === undefined).toBe(true);
        }
        expect(pages).toEqual(shownIn(form, request, whole));
      }),
      { numRuns: runs / 8 + EACH_FORM.length, seed, examples: EACH_FORM },
    );
  });

  test('selected fields, in any order, are those of the whole records', async () => {
    const names = fc.infiniteStream(fc.nat());
    await fc.assert(
      fc.asyncProperty(allowed, names, async (request, stream) => {
        const all = [...fieldNamesOf(request.principal.role)];
        const chosen: string[] = [];
        for (let left = 1 + ((stream.next().value ?? 0) % all.length); left > 0; left -= 1) {
          chosen.push(...all.splice((stream.next().value ?? 0) % all.length, 1));
        }
        const whole = await listed(request);
        const some = await listed(request, { fields: chosen.join(',') });
        expect(some.map((record) => Object.entries(record))).toEqual(
          whole.map((record) => chosen.map((name) => [name, record[name]])),
        );
      }),
      { numRuns: runs / 4, seed },
    );
  });

  test('every format has the same records', async () => {
    await fc.assert(
      fc.asyncProperty(allowed, async (request) => {
        const whole = await listed(request);
        for (const form of FORM_NAMES) {
          const found = await FORMS[form].read(await ask(request, FORMS[form].asked));
          expect(found, form).toEqual(shownIn(form, request, whole));
        }
        const [header] = (await (await ask(request, { format: 'csv' })).text()).split('\r\n');
        expect(header).toBe(fieldNamesOf(request.principal.role).join(','));
      }),
      { numRuns: runs / 4, seed },
    );
  });

  test('compressed responses have the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(allowed, textForms, async (request, form) => {
        const path = pathOf(request, FORMS[form].asked);
        const isEmpty = expectedRows(request, rows, zone).length === 0;
        const token = tokenOf(request.principal);
        const textIn = async (coding: string) => {
          const response = await service.get(path, token, { 'accept-encoding': coding });
          const isPlain = coding === 'identity' || isEmpty;
          expect(response.headers.get('content-encoding')).toBe(isPlain ? null : coding);
          return await response.text();
        };
        const plain = await textIn('identity');
        for (const coding of CODINGS) expect(await textIn(coding)).toBe(plain);
      }),
      { numRuns: runs / 8, seed },
    );
  });

  test('the days of a long period together are the whole period', async () => {
    const principal = { id: 'x', role: 'admin', publisherIds: 'all', programIds: 'all' } as const;
    const path = (first: string, last: string) =>
      `/api/admin/transactions?type=sales&start_date=${first}&end_date=${last}`;
    const get = async (first: string, last: string) =>
      (await (await service.get(path(first, last), tokenOf(principal))).json()) as JsonRecord[];
    const all = await get('1969-12-31', '2106-12-31');
    expect(all).toHaveLength(rows.filter(({ type }) => type === 'sales').length);
    const dayOf = ({ created_at }: JsonRecord) => String(created_at).slice(0, 10);
    // In `npm test`, one day of ten.
    const days = new Set(
      [...new Set(all.map(dayOf))].filter((_, at) => at % fullOrShort(1, 10) === 0),
    );
    const answers = [...days].map(async (day) => await get(day, day));
    expect((await Promise.all(answers)).flat()).toEqual(all.filter((row) => days.has(dayOf(row))));
  });
});
