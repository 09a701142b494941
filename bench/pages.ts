/** Benchmark of small requests: about a hundred rows of a month of a website or program. */

import { Agent, get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DAYS, type DataSet, dayOf } from './data-set.ts';
import { median } from './download.ts';
import type { Line } from './line.ts';
import type { Page, Peer } from './peers/peer.ts';
import { ServerProcess } from './server-process.ts';

const ALONE = 300;
const TOGETHER = 2000;
const CONNECTIONS = 8;
const MONTH = 27;

interface Question {
  readonly what: string;
  readonly of: Page['of'];
  readonly limit?: number;
  /** Whether each request has another website or program. */
  readonly isOfOthers?: true;
  /** Milliseconds of one request at a time, or requests a second over all connections. */
  readonly unit: ' ms' | '/s';
}

/**
 * The service caches the months of a website from the second request on, so the first two lines need
 * no engine. Pages with a limit and first requests are never cached.
 */
const QUESTIONS: readonly Question[] = [
  {
    what: "One website's month, cut out of months that are kept, alone (median)",
    of: 'website',
    unit: ' ms',
  },
  {
    what: `— ${CONNECTIONS} connections, all questions different`,
    of: 'website',
    unit: '/s',
  },
  {
    what: '— the same, each of another website, of which nothing is kept yet',
    of: 'website',
    isOfOthers: true,
    unit: '/s',
  },
  {
    what: "A page of one website's month, `limit=100`, never kept, alone (median)",
    of: 'website',
    limit: 100,
    unit: ' ms',
  },
  {
    what: `— ${CONNECTIONS} connections, all questions different`,
    of: 'website',
    limit: 100,
    unit: '/s',
  },
  {
    what: '— the same, each of another website',
    of: 'website',
    limit: 100,
    isOfOthers: true,
    unit: '/s',
  },
  {
    what: "A page of one program's month, `limit=100`, administrator, alone (median)",
    of: 'program',
    limit: 100,
    isOfOthers: true,
    unit: ' ms',
  },
];

type Ask = (at: number) => Promise<void>;

export const benchPages = async (
  data: DataSet,
  postgres: Peer | undefined,
): Promise<readonly Line[]> =>
  await ServerProcess.during(data.url, async (server) => {
    const lines: Line[] = [];
    for (const question of QUESTIONS) {
      const own = await measure(question, data, (page) => server.url + pathOf(page));
      const peer = postgres?.pageUrl && (await measure(question, data, postgres.pageUrl));
      const { what, unit } = question;
      lines.push({
        what,
        measured: `${own.toFixed(1)}${unit}`,
        ...(peer !== undefined && {
          against: `Node on PostgreSQL: ${peer.toFixed(1)}${unit}`,
          ratio: unit === '/s' ? own / peer : peer / own,
        }),
      });
    }
    return lines;
  });

/** The URL of the service. */
function pathOf({ of, id, first, last, limit }: Page): string {
  const [role, name] = of === 'website' ? ['affiliate', 'publisher_id'] : ['admin', 'program_id'];
  const size = limit === undefined ? '' : `&limit=${limit}`;
  return `/api/${role}/transactions?type=sales&start_date=${first}&end_date=${last}&${name}=${id}${size}`;
}

async function measure(
  question: Question,
  data: DataSet,
  urlOf: (page: Page) => string,
): Promise<number> {
  const [ids, token] =
    question.of === 'website'
      ? [data.websites, data.affiliateToken]
      : [data.programs, data.adminToken];
  const idOf = (at: number) => ids[question.isOfOthers ? at % ids.length : 0] ?? 0;
  const ask = asker(token, (at) => urlOf({ ...question, id: idOf(at), ...periodOf(at) }));
  if (question.unit === '/s') return await throughput(ask);
  await times(ask, ALONE);
  return median(await times(ask, ALONE));
}

/** The number of requests with different periods. */
function periodOf(at: number): Pick<Page, 'first' | 'last'> {
  const first = at % (DAYS - MONTH);
  const last = first + MONTH - 1 + (Math.floor(at / (DAYS - MONTH)) % 2);
  return { first: dayOf(first), last: dayOf(last) };
}

function asker(token: string, urlOf: (at: number) => string): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { authorization: `Bearer ${token}` };
  return async (at) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    get(urlOf(at), { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`Status ${response.statusCode}`));
      buffer(response).then(() => resolve(), reject);
    }).on('error', reject);
    await promise;
  };
}

async function times(ask: Ask, count: number): Promise<readonly number[]> {
  const measured: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const started = performance.now();
    await ask(at);
    measured.push(performance.now() - started);
  }
  return measured;
}

/** Requests a second over all connections. */
async function throughput(ask: Ask): Promise<number> {
  const started = performance.now();
  let next = 0;
  const connection = async () => {
    while (next < TOGETHER) await ask(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return (TOGETHER / (performance.now() - started)) * 1000;
}
