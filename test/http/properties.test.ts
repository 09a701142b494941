import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { namesOf } from '../../src/contract/records.ts';
import { clockIn } from '../contract/wall-clock.ts';
import { fileRow, ndjson } from '../support/file-rows.ts';
import {
  answerTo,
  isAllowed,
  pathOf,
  type Question,
  questions,
  tokenOf,
  verifyJwt,
} from '../support/random-questions.ts';
import {
  type RandomTransaction,
  transactions,
  writtenDate,
} from '../support/random-transactions.ts';
import { startService, type TestService } from '../support/service.ts';

const ROWS = 600;

/** Given again with the same data and questions: fast-check prints it where a test fails. */
const seed = Math.floor(Math.random() * 2 ** 31);

type Shown = Readonly<Record<string, unknown>>;

describe.each([
  { store: 'embedded', zone: 'Europe/Paris', runs: 40 },
  { store: 'embedded', zone: 'America/New_York', runs: 20 },
  { store: 'embedded', zone: 'UTC', runs: 20 },
  { store: 'server', zone: 'America/New_York', runs: 20 },
  { store: 'cluster', zone: 'Europe/Paris', runs: 16 },
] as const)('on the store $store and the clock of $zone', ({ store, zone, runs }) => {
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

  const ask = async (question: Question, more: Readonly<Record<string, string>> = {}) =>
    await service.get(pathOf(question, more), tokenOf(question.principal));

  const listed = async (question: Question, more: Readonly<Record<string, string>> = {}) =>
    (await (await ask(question, more)).json()) as readonly Shown[];

  const shown = ({ instant, updated, validated, ...row }: RandomTransaction): Shown => ({
    transaction_id: row.transaction_id,
    program_id: row.program_id,
    publisher_id: row.publisher_id,
    status: String(row.status),
    clickid: row.clickid,
    subid: row.subid,
    country: row.country,
    device_type: row.device_type,
    validation_date: validated === null ? null : clockIn(zone, validated),
    created_at: clockIn(zone, instant),
    updated_at: clockIn(zone, updated),
  });

  const allowed = questions.filter(isAllowed);

  test('every answer is what a plain filter of the rows gives, in order', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(questions, async (question) => {
        const response = await ask(question);
        expect(response.status).toBe(isAllowed(question) ? 200 : 403);
        if (!isAllowed(question)) return;
        const expected = answerTo(question, rows, zone).map(shown);
        const names = Object.keys(expected[0] ?? {});
        const answer = ((await response.json()) as readonly Shown[]).map((record) =>
          Object.fromEntries(names.map((name) => [name, record[name]])),
        );
        found += answer.length;
        expect(answer).toEqual(expected);
      }),
      { numRuns: runs, seed },
    );
    expect(found).toBeGreaterThan(runs);
  });

  test('pages of any size, one after the other, are the whole answer', async () => {
    const sizes = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 700 }));
    await fc.assert(
      fc.asyncProperty(allowed, sizes, async (question, size) => {
        const whole = await listed(question);
        const least = Math.max(size, Math.ceil(whole.length / 12));
        const pages: Shown[] = [];
        const headers = { prefer: 'count=exact' };
        let path: string | undefined = pathOf(question, { limit: String(least) });
        while (path !== undefined) {
          const response = await service.get(path, tokenOf(question.principal), headers);
          const page = (await response.json()) as Shown[];
          expect(response.headers.get('x-total-count')).toBe(String(whole.length));
          pages.push(...page);
          path = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
          expect(page.length === least || path === undefined).toBe(true);
        }
        expect(pages).toEqual(whole);
      }),
      { numRuns: runs / 4, seed },
    );
  });

  test('some of the fields, in any order, are those of the whole records', async () => {
    const names = fc.infiniteStream(fc.nat());
    await fc.assert(
      fc.asyncProperty(allowed, names, async (question, stream) => {
        const all = [...namesOf(question.principal.role)];
        const chosen: string[] = [];
        for (let left = 1 + ((stream.next().value ?? 0) % all.length); left > 0; left -= 1) {
          chosen.push(...all.splice((stream.next().value ?? 0) % all.length, 1));
        }
        const whole = await listed(question);
        const some = await listed(question, { fields: chosen.join(',') });
        expect(some.map((record) => Object.entries(record))).toEqual(
          whole.map((record) => chosen.map((name) => [name, record[name]])),
        );
      }),
      { numRuns: runs / 4, seed },
    );
  });

  test('every text format carries the same records', async () => {
    await fc.assert(
      fc.asyncProperty(allowed, async (question) => {
        const whole = await listed(question);
        const lines = await (await ask(question, { format: 'ndjson' })).text();
        expect(
          lines === ''
            ? []
            : lines
                .trimEnd()
                .split('\n')
                .map((line) => JSON.parse(line)),
        ).toEqual(whole);
        const texts = whole.map((record) =>
          Object.values(record).map((value) => (value === null ? '' : String(value))),
        );
        const csv = await (await ask(question, { format: 'csv' })).text();
        const [header, ...records] = parse(csv, { recordDelimiter: '\r\n' }) as string[][];
        expect(header).toEqual(namesOf(question.principal.role));
        expect(records).toEqual(texts);
      }),
      { numRuns: runs / 4, seed },
    );
  });

  test('the days of a long period together are the period', async () => {
    const principal = { id: 'x', role: 'admin', publisherIds: 'all', programIds: 'all' } as const;
    const path = (first: string, last: string) =>
      `/api/admin/transactions?type=sales&start_date=${first}&end_date=${last}`;
    const get = async (first: string, last: string) =>
      (await (await service.get(path(first, last), tokenOf(principal))).json()) as Shown[];
    const all = await get('1969-12-31', '2106-12-31');
    expect(all).toHaveLength(rows.filter(({ type }) => type === 'sales').length);
    const days = [...new Set(all.map(({ created_at }) => String(created_at).slice(0, 10)))];
    const answers = days.map(async (day) => await get(day, day));
    expect((await Promise.all(answers)).flat()).toEqual(all);
  });
});
