import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../src/auth/principal.ts';
import { KINDS } from '../../src/contract/kinds.ts';
import { clockIn } from '../contract/wall-clock.ts';
import { fileRow, ndjson } from '../support/file-rows.ts';
import {
  DAYS,
  PROGRAMS,
  PUBLISHERS,
  type RandomTransaction,
  transactions,
  writtenDate,
} from '../support/random-transactions.ts';
import { startService, type TestService } from '../support/service.ts';

const ROWS = 600;
const QUESTIONS = 100;

/** Given again with the same data and questions: fast-check prints it where a test fails. */
const seed = Math.floor(Math.random() * 2 ** 31);

/** The token says by itself whom it speaks for. */
const tokenOf = (principal: Principal): string =>
  `e30.${Buffer.from(JSON.stringify(principal)).toString('base64url')}.x`;

async function verifyJwt(jwt: string): Promise<Principal> {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
}

const principals: fc.Arbitrary<Principal> = fc.oneof(
  fc.record({
    id: fc.constant('an admin'),
    role: fc.constant('admin' as const),
    publisherIds: fc.constant('all' as const),
    programIds: fc.oneof(fc.constant('all' as const), fc.subarray([...PROGRAMS])),
  }),
  fc.record({
    id: fc.constant('an affiliate'),
    role: fc.constant('affiliate' as const),
    publisherIds: fc.subarray([...PUBLISHERS, 999]),
    programIds: fc.oneof(fc.constant('all' as const), fc.subarray([...PROGRAMS])),
  }),
);

/** A day of the list or one next to it. */
const dates = fc
  .tuple(fc.constantFrom(...DAYS), fc.integer({ min: -1, max: 1 }))
  .map(([day, shift]) => new Date(Date.parse(day) + shift * 86_400_000).toISOString().slice(0, 10));

const questions = fc.record({
  principal: principals,
  type: fc.constantFrom(...KINDS),
  dates: fc.oneof(
    dates.map((date) => [date, date] as const),
    fc.tuple(dates, dates).map(([one, other]) => (one < other ? [one, other] : [other, one])),
  ),
  program: fc.option(fc.constantFrom(...PROGRAMS, 998), { freq: 2 }),
  publisher: fc.option(fc.constantFrom(...PUBLISHERS, 999), { freq: 2 }),
});

type Question = typeof questions extends fc.Arbitrary<infer Value> ? Value : never;

const isIn = (scope: Principal['programIds'], identifier: number): boolean =>
  scope === 'all' || scope.includes(identifier);

/** Whether the question is about what the principal may see. */
const isAllowed = ({ principal, program, publisher }: Question): boolean =>
  (program === null || isIn(principal.programIds, program)) &&
  (publisher === null || isIn(principal.publisherIds, publisher));

/** The answer by reading all rows and looking at a clock. */
function expected(rows: readonly RandomTransaction[], zone: string, question: Question) {
  const {
    principal,
    type,
    dates: [first = '', last = ''],
    program,
    publisher,
  } = question;
  return rows
    .filter((row) => {
      const day = clockIn(zone, row.instant).slice(0, 10);
      const isAsked =
        row.type === type &&
        day >= first &&
        day <= last &&
        (program === null || row.program_id === program) &&
        (publisher === null || row.publisher_id === publisher);
      return (
        isAsked &&
        isIn(principal.programIds, row.program_id) &&
        isIn(principal.publisherIds, row.publisher_id)
      );
    })
    .sort((a, b) => a.instant - b.instant || a.transaction_id - b.transaction_id)
    .map(({ instant, transaction_id, program_id, publisher_id }) => ({
      transaction_id,
      program_id,
      publisher_id,
      created_at: clockIn(zone, instant),
    }));
}

describe.each([
  { store: 'embedded', zone: 'Europe/Paris' },
  { store: 'embedded', zone: 'America/New_York' },
  { store: 'embedded', zone: 'UTC' },
  { store: 'server', zone: 'America/New_York' },
  { store: 'cluster', zone: 'Europe/Paris' },
] as const)('on the store $store and the clock of $zone', ({ store, zone }) => {
  let service: TestService;
  let rows: readonly RandomTransaction[];

  beforeAll(async () => {
    service = await startService({ store, timeZone: zone, verifyJwt });
    const sampled = fc.sample(transactions, { numRuns: ROWS, seed });
    rows = [...new Map(sampled.map((row) => [row.transaction_id, row])).values()];
    const lines = rows.map(({ instant, ...row }, at) =>
      fileRow({ ...row, created_at: writtenDate(instant, zone, at) }),
    );
    await service.importText(ndjson(lines));
  });

  afterAll(async () => await service.close());

  async function answerTo(question: Question) {
    const {
      principal,
      type,
      dates: [start = '', end = ''],
      program,
      publisher,
    } = question;
    const query = new URLSearchParams({ type, start_date: start, end_date: end });
    if (program !== null) query.set('program_id', String(program));
    if (publisher !== null) query.set('publisher_id', String(publisher));
    const path = `/api/${principal.role}/transactions?${query}`;
    return await service.get(path, tokenOf(principal));
  }

  test('every answer is what a plain filter of the rows gives, in order of creation', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(questions, async (question) => {
        const response = await answerTo(question);
        expect(response.status).toBe(isAllowed(question) ? 200 : 403);
        if (!isAllowed(question)) return;
        const shown = ((await response.json()) as Record<string, unknown>[]).map(
          ({ transaction_id, program_id, publisher_id, created_at }) => ({
            transaction_id,
            program_id,
            publisher_id,
            created_at,
          }),
        );
        found += shown.length;
        expect(shown).toEqual(expected(rows, zone, question));
      }),
      { numRuns: QUESTIONS, seed },
    );
    expect(found).toBeGreaterThan(QUESTIONS);
  });

  test('the days of a long period together are the period', async () => {
    const everything = { type: 'sales', program: null, publisher: null } as const;
    const principal = { id: 'x', role: 'admin', publisherIds: 'all', programIds: 'all' } as const;
    const period = { ...everything, principal, dates: ['1969-12-31', '2106-12-31'] as const };
    const all = await (await answerTo(period)).json();
    expect(all).toHaveLength(rows.filter(({ type }) => type === 'sales').length);
    const days = [
      ...new Set(
        (all as { created_at: string }[]).map(({ created_at }) => created_at.slice(0, 10)),
      ),
    ];
    const answers = days.map(
      async (day) => await (await answerTo({ ...period, dates: [day, day] })).json(),
    );
    expect((await Promise.all(answers)).flat()).toEqual(all);
  });
});
