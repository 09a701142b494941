/** Benchmark of small requests: about a hundred rows of a month of a website, a program or everything. */

import { DAYS, type DataSet, dayOf } from './data-set.ts';
import { median } from './download.ts';
import type { Line } from './line.ts';
import type { Page, Peer } from './peers/peer.ts';
import { CONNECTIONS, requester, throughput, times } from './requests.ts';
import { ServerProcess } from './server-process.ts';
import { whileImporting } from './small-imports.ts';
import { URLS, wrkThroughput } from './wrk.ts';

/**
 * The service and its peer are measured in turns, because the speed of a shared machine changes within seconds. A
 * result is the median of the rounds.
 */
const ROUNDS = 7;

/** Requests of a round, one after the other. */
const ALONE = 60;

/** Seconds of requests before the rounds, so that V8 has optimized the service and its peer. */
const WARM_UP = 2;
/** The number of the first warm-up request. Measured requests are counted from 0. */
const WARM_UP_FROM = 100_000;

/** Seconds of requests of a round, over all connections. */
const SECONDS = 2;
/** Seconds of requests while imports run: long enough for several imports. */
const SECONDS_OF_IMPORTS = 20;

const MONTH = 27;

interface Question {
  readonly what: string;
  readonly of: Page['of'];
  readonly limit?: number;
  readonly fields?: Page['fields'];
  /** Milliseconds of one request at a time, or requests a second over all connections. */
  readonly unit: ' ms' | '/s';
  readonly isDuringImports?: true;
}

const FIELDS = ['transaction_id', 'program_id', 'remuneration', 'status', 'created_at'];
const PAGE = { of: 'website', limit: 100 } as const;

/** Many requests ask each question. No two in a row have the same website or program and the same period. */
const QUESTIONS: readonly Question[] = [
  {
    what: "First page of a website's month, `limit=100`, one connection (median)",
    ...PAGE,
    unit: ' ms',
  },
  { what: `— ${CONNECTIONS} connections, a different website each time`, ...PAGE, unit: '/s' },
  {
    what: '— the same, while 1,000 rows are imported every 5 seconds',
    ...PAGE,
    unit: '/s',
    isDuringImports: true,
  },
  { what: '— with `fields=`, one connection (median)', ...PAGE, fields: FIELDS, unit: ' ms' },
  { what: "A website's whole month, one connection (median)", of: 'website', unit: ' ms' },
  {
    what: `— ${CONNECTIONS} connections, a different website each time`,
    of: 'website',
    unit: '/s',
  },
  {
    what: 'First page of everything, `limit=100`, administrator, one connection (median)',
    of: 'everything',
    limit: 100,
    unit: ' ms',
  },
  {
    what: "First page of a program's month, `limit=100`, administrator, one connection (median)",
    of: 'program',
    limit: 100,
    unit: ' ms',
  },
];

export const benchPages = async (
  data: DataSet,
  postgres: Peer | undefined,
): Promise<readonly Line[]> =>
  await ServerProcess.during(data.url, async (server) => {
    await server.idle();
    const lines: Line[] = [];
    for (const question of QUESTIONS) {
      const own = await warmedUp(question, data, (page) => server.url + pathOf(page));
      const peer = postgres?.pageUrl && (await warmedUp(question, data, postgres.pageUrl));
      const rounds = await (question.isDuringImports
        ? [[await whileImporting(data, own), await peer?.()] as const]
        : inTurns(own, peer));
      const ofPeer = rounds.flatMap(([, result]) => result ?? []);
      lines.push(
        lineOf(
          question,
          median(rounds.map(([result]) => result)),
          ofPeer.length > 0 ? median(ofPeer) : undefined,
        ),
      );
    }
    const what = '— maximum memory of the server';
    return [...lines, { what, measured: await server.peakMemory() }];
  });

const lineOf = ({ what, unit }: Question, own: number, peer: number | undefined): Line => ({
  what,
  measured: `${own.toFixed(1)}${unit}`,
  ...(peer !== undefined && {
    against: `Node on PostgreSQL: ${peer.toFixed(1)}${unit}`,
    ratio: unit === '/s' ? own / peer : peer / own,
  }),
});

/** The path of a page in the service's API. */
function pathOf({ of, id, first, last, limit, fields }: Page): string {
  const role = of === 'website' ? 'affiliate' : 'admin';
  const parameters = new URLSearchParams({ type: 'sales', start_date: first, end_date: last });
  if (of === 'website') parameters.set('publisher_id', String(id));
  if (of === 'program') parameters.set('program_id', String(id));
  if (limit !== undefined) parameters.set('limit', String(limit));
  if (fields !== undefined) parameters.set('fields', fields.join(','));
  return `/api/${role}/transactions?${parameters}`;
}

/** Measures once, in the unit of its question. */
type Measure = () => Promise<number>;

async function inTurns(own: Measure, peer: Measure | undefined) {
  const rounds: (readonly [number, number | undefined])[] = [];
  while (rounds.length < ROUNDS) rounds.push([await own(), await peer?.()]);
  return rounds;
}

/** Sends the warm-up requests of a question. Returns what measures it. */
async function warmedUp(
  question: Question,
  data: DataSet,
  urlOf: (page: Page) => string,
): Promise<Measure> {
  const isWebsite = question.of === 'website';
  const ids = isWebsite ? data.websites : data.programs;
  const token = isWebsite ? data.affiliateToken : data.adminToken;
  const urlAt = (at: number) =>
    urlOf({ ...question, id: ids[at % ids.length] ?? 0, ...periodOf(at) });
  const request = requester(token, urlAt);
  let next = 0;
  if (question.unit === ' ms') {
    // The Node.js client sends the warm-up rather than wrk, so that V8 optimizes the code of the client, too.
    await throughput((at) => request(WARM_UP_FROM + at), WARM_UP);
    return async () => {
      const from = next;
      next += ALONE;
      return median(await times((at) => request(from + at), ALONE));
    };
  }
  const perSecond = async (from: number, seconds: number) =>
    (await wrkThroughput({ urlOf: urlAt, from, token, connections: CONNECTIONS, seconds })) ??
    (await throughput((at) => request(from + at), seconds));
  await perSecond(WARM_UP_FROM, WARM_UP);
  return async () => {
    const seconds = question.isDuringImports ? SECONDS_OF_IMPORTS : SECONDS;
    const from = next;
    next += URLS;
    return await perSecond(from, seconds);
  };
}

/** The period of a request by its number, so that requests have different periods. */
function periodOf(at: number): Pick<Page, 'first' | 'last'> {
  const first = at % (DAYS - MONTH);
  const last = first + MONTH - 1 + (Math.floor(at / (DAYS - MONTH)) % 2);
  return { first: dayOf(first), last: dayOf(last) };
}
