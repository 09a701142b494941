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

export async function benchPages(
  server: ServerProcess,
  data: DataSet,
  postgres: Peer | undefined,
): Promise<readonly Line[]> {
  const own = asker(
    (first, last) =>
      `${server.url}/api/affiliate/transactions?type=sales&start_date=${first}&end_date=${last}`,
    data.affiliateToken,
  );
  const pageUrl = postgres?.pageUrl;
  const other = pageUrl === undefined ? undefined : asker(pageUrl);
  await times(own, ALONE);
  const alone = median(await times(own, ALONE));
  const rate = await throughput(own);
  if (other === undefined) return lines(alone, rate);
  await times(other, ALONE);
  const otherAlone = median(await times(other, ALONE));
  return lines(alone, rate, otherAlone, await throughput(other));
}

function lines(
  alone: number,
  rate: number,
  otherAlone?: number,
  otherRate?: number,
): readonly Line[] {
  const versus = (measured: string | undefined, unit: string, ratio: number) =>
    measured === undefined ? {} : { against: `Node on PostgreSQL: ${measured}${unit}`, ratio };
  return [
    {
      what: "One affiliate's month, alone (median)",
      measured: `${alone.toFixed(1)} ms`,
      ...versus(otherAlone?.toFixed(1), 'ms', (otherAlone ?? 0) / alone),
    },
    {
      what: `— ${CONNECTIONS} connections, all questions different`,
      measured: `${rate.toFixed(0)}/s`,
      ...versus(otherRate?.toFixed(0), '/s', rate / (otherRate ?? 1)),
    },
  ];
}

function asker(urlOf: (first: string, last: string) => string, token?: string): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return async (at) => {
    const first = at % (DAYS - MONTH);
    const url = urlOf(
      dayOf(first),
      dayOf(first + MONTH - 1 + (Math.floor(at / (DAYS - MONTH)) % 2)),
    );
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
