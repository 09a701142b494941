/** Small questions, each another one: about a hundred rows of one affiliate's month. */

import { Agent, get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DAYS, type DataSet, dayOf } from './data-set.ts';
import { median } from './download.ts';
import type { Line } from './line.ts';
import type { Peer } from './peers/peer.ts';
import type { ServerProcess } from './server-process.ts';

const ALONE = 300;
const TOGETHER = 2000;
const CONNECTIONS = 8;
const MONTH = 27;

type Ask = (at: number) => Promise<void>;
type UrlOf = (website: number, first: string, last: string) => string;

interface Measured {
  /** Milliseconds. */
  readonly alone: number;
  /** Questions a second, of one website and of ever others. */
  readonly together: number;
  readonly others: number;
}

export async function benchPages(
  server: ServerProcess,
  data: DataSet,
  postgres: Peer | undefined,
): Promise<readonly Line[]> {
  const own = await measure(
    (website, first, last) =>
      `${server.url}/api/affiliate/transactions?type=sales&start_date=${first}&end_date=${last}&publisher_id=${website}`,
    data,
  );
  const pageUrl = postgres?.pageUrl;
  const other = pageUrl && (await measure(pageUrl, data));
  const line = (what: string, unit: string, value: (measured: Measured) => number): Line => ({
    what,
    measured: `${value(own).toFixed(1)}${unit}`,
    ...(other && {
      against: `Node on PostgreSQL: ${value(other).toFixed(1)}${unit}`,
      ratio: unit === '/s' ? value(own) / value(other) : value(other) / value(own),
    }),
  });
  return [
    line("One website's month, alone (median)", ' ms', ({ alone }) => alone),
    line(`— ${CONNECTIONS} connections, all questions different`, '/s', (each) => each.together),
    line('— the same, each question of another website', '/s', ({ others }) => others),
  ];
}

async function measure(urlOf: UrlOf, data: DataSet): Promise<Measured> {
  const [website = 0] = data.websites;
  const one = asker(urlOf, () => website, data.affiliateToken);
  await times(one, ALONE);
  const alone = median(await times(one, ALONE));
  const together = await throughput(one);
  const each = asker(
    urlOf,
    (at) => data.websites[at % data.websites.length] ?? 0,
    data.affiliateToken,
  );
  return { alone, together, others: await throughput(each) };
}

function asker(urlOf: UrlOf, websiteOf: (at: number) => number, token: string): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { authorization: `Bearer ${token}` };
  return async (at) => {
    const first = at % (DAYS - MONTH);
    const last = first + MONTH - 1 + (Math.floor(at / (DAYS - MONTH)) % 2);
    const url = urlOf(websiteOf(at), dayOf(first), dayOf(last));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    get(url, { agent, headers }, (response) => {
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

/** Questions a second over all connections. */
async function throughput(ask: Ask): Promise<number> {
  const started = performance.now();
  let next = 0;
  const connection = async () => {
    while (next < TOGETHER) await ask(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return (TOGETHER / (performance.now() - started)) * 1000;
}
