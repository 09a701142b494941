import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverOf } from '../../src/app.ts';
import type { AppParts } from '../../src/app-parts.ts';
import { fieldNamesOf } from '../../src/contract/record/records.ts';
import { FIRST_RECORDS } from '../../src/http/sending/list-records.ts';
import type { MonthCache } from '../../src/months/month-cache.ts';
import type { ListPlan } from '../../src/plan/list-plan.ts';
import {
  isAllowed,
  pathOf,
  type RandomRequest,
  requestsOf,
  tokenOf,
  verifyJwt,
} from '../support/requests/random-requests.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import {
  PROGRAMS,
  type RandomTransaction,
  transactions,
  writtenDate,
} from '../support/rows/random/random-transactions.ts';
import { fc } from '../support/run/properties.ts';
import { fullOrShort, SEED } from '../support/run/test-extent.ts';

const ZONE = 'Europe/Paris';
const ROWS = 500;
/** The number of compared pages. 100,000 take an hour. */
const PAGES = Number(process.env.PAGES ?? fullOrShort(40_000, 24));

/** Lists that are read at the same time, in one round. */
const AT_ONCE = 8;
/** Rounds between two imports. */
const BETWEEN = fullOrShort(32, 2);

/** Headers that differ between two responses to the same query. */
const OWN_HEADERS = ['date', 'x-request-id', 'keep-alive'];

/** The number of first records of a list that one server reads from memory. The engine returns the rest. */
const FIRST = 7;

let service: TestService;
let others: readonly ReturnType<typeof serverOf>[] = [];
/** The server without a month cache. */
let engineUrl: string;
/** The server whose month cache has only the first records of a list. */
let joinedUrl: string;
const stored = new Map<number, RandomTransaction>();
let answered = 0;

beforeAll(async () => {
  let parts: AppParts | undefined;
  service = await startService({
    timeZone: ZONE,
    verifyJwt,
    parts: (given) => {
      parts = given;
      return given;
    },
  });
  if (parts === undefined) throw new Error('The service was not built from parts.');
  const months = cacheOf(service);
  others = [serverOf(parts), serverOf(parts, firstRecordsOf(months))];
  [engineUrl = '', joinedUrl = ''] = await Promise.all(
    others.map(async (server) => await server.listen({ host: '127.0.0.1', port: 0 })),
  );
  noteAnswers(months);
  await importRows(fc.sample(transactions, { numRuns: ROWS, seed: SEED }));
});

afterAll(async () => {
  for (const server of others) {
    server.server.closeAllConnections();
    await server.close();
  }
  await service.close();
});

function cacheOf({ monthCache }: TestService): MonthCache {
  if (monthCache === undefined) throw new Error('The service has no months in memory.');
  return monthCache;
}

/** The month cache, reduced to a few first records of each list. */
function firstRecordsOf(months: MonthCache): MonthCache {
  const page = async (plan: ListPlan) =>
    plan.limit === FIRST_RECORDS ? await months.page({ ...plan, limit: FIRST }) : undefined;
  const unused = async () => undefined;
  const count = months.count.bind(months);
  const own: Readonly<Record<string, unknown>> = { page, count, start: unused, close: unused };
  return new Proxy(months, {
    get: (target, name) => own[String(name)] ?? Reflect.get(target, name, target),
  });
}

/** Counts the lists that come from memory. */
function noteAnswers(months: MonthCache): void {
  const page = months.page.bind(months);
  months.page = async (plan) => {
    const found = await page(plan);
    answered += Number(found !== undefined);
    return found;
  };
}

async function importRows(rows: readonly RandomTransaction[]): Promise<void> {
  for (const row of rows) stored.set(row.transaction_id, row);
  const lines = [...new Map(rows.map((row) => [row.transaction_id, row])).values()].map(
    ({ instant, updated, validated, ...row }) =>
      fileRow({
        ...row,
        created_at: writtenDate(instant, ZONE, 1),
        updated_at: writtenDate(updated, ZONE, 1),
        validation_date: validated === null ? null : writtenDate(validated, ZONE, 1),
      }),
  );
  await service.importText(ndjson(lines));
}

/** Imports new transactions, and newer versions of stored ones, mostly with another program or status. */
async function importSome(round: number): Promise<void> {
  const sampled = fc.sample(transactions, { numRuns: 6, seed: SEED + round });
  const added = sampled.filter(({ transaction_id }) => !stored.has(transaction_id));
  const known = [...stored.values()];
  const changed = [1, 2, 3].flatMap((nth) => {
    const row = known[(SEED + round * nth * 7919) % known.length];
    const program_id = PROGRAMS[round % PROGRAMS.length] ?? 1;
    return row === undefined || row.type === 'sales'
      ? []
      : [{ ...row, program_id, status: 2 as const, validated: null, updated: row.updated + nth }];
  });
  await importRows([...added, ...changed]);
}

/** How often each period occurs. A century is rare, because a list of it can take more than 100 statements. */
const PERIODS = fullOrShort(
  { day: 3300, month: 700, years: 30, century: 1 },
  { day: 12, month: 12, years: 4, century: 1 },
);

const question = fc.record({
  request: requestsOf(PERIODS).filter(isAllowed),
  limit: fc.option(fc.integer({ min: 1, max: 40 }), { freq: 3, nil: undefined }),
  fields: fc.option(
    fc.uniqueArray(fc.constantFrom(...fieldNamesOf('affiliate').filter(isOfBoth)), {
      minLength: 1,
    }),
    { freq: 3, nil: undefined },
  ),
  form: fc.constantFrom(
    {},
    {},
    { format: 'ndjson' },
    { format: 'csv' },
    { csv: 'excel' },
    { csv: 'excel-en' },
  ),
  isCounted: fc.constantFrom(true, false, false, false),
  /** How many pages are compared. Mostly one, because each page costs as much as another list. */
  pages: fc.constantFrom(1, 1, 1, 2, 3),
});

type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

function isOfBoth(name: string): boolean {
  return fieldNamesOf('admin').includes(name);
}

/** The parts of a response that must be equal on all servers. */
async function answerOf(host: string, path: string, request: RandomRequest, isCounted: boolean) {
  const response = await fetch(host + path, {
    headers: {
      authorization: `Bearer ${tokenOf(request.principal)}`,
      ...(isCounted ? { prefer: 'count=exact' } : {}),
    },
  });
  const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.includes(name));
  const link = response.headers.get('link');
  return { status: response.status, headers, body: await response.text(), link };
}

/** Compares the first pages of a list on the servers (`joinedUrl` only without a limit), and returns their number. */
async function comparePages({
  request,
  limit,
  fields,
  form,
  isCounted,
  pages,
}: Question): Promise<number> {
  const parameters = {
    ...(limit === undefined ? {} : { limit: String(limit) }),
    ...(fields === undefined ? {} : { fields: fields.join(',') }),
    ...form,
  };
  let next: string | undefined = pathOf(request, parameters);
  let compared = 0;
  for (; compared < pages && next !== undefined; compared += 1) {
    const path: string = next;
    const hosts = [service.url, engineUrl, ...(limit === undefined ? [joinedUrl] : [])];
    const [mine, ...same] = await Promise.all(
      hosts.map(async (host) => await answerOf(host, path, request, isCounted)),
    );
    for (const answer of same) expect(answer, path).toEqual(mine);
    expect(mine?.status).toBe(200);
    next = /^<(.+)>; rel="next"$/.exec(mine?.link ?? '')?.[1];
  }
  return compared;
}

test(
  'lists from memory equal those of the engine byte for byte, whatever was imported',
  async () => {
    let pages = 0;
    for (let round = 1; pages < PAGES; round += 1) {
      if (round % BETWEEN === 0) await importSome(round);
      const questions = fc.sample(question, { numRuns: AT_ONCE, seed: SEED + round });
      const compared = await Promise.all(questions.map(comparePages));
      pages += compared.reduce((all, count) => all + count, 0);
    }
    expect(answered).toBeGreaterThan(pages / 3);
  },
  PAGES * 4000,
);
