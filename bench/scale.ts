/** `npm run bench:scale`: the same requests on databases of growing size. */

import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAYS, type DataSet, dayOf, makeDataSet } from './data-set.ts';
import { median } from './download.ts';
import { ServerProcess } from './server-process.ts';

/** Millions of rows. */
const SIZES = (process.env.BENCH_SCALE ?? '1,10').split(',').map(Number);

const TIMES = 60;
const MONTH = `type=sales&start_date=${dayOf(31)}&end_date=${dayOf(58)}`;
const ALL = `type=sales&start_date=${dayOf(0)}&end_date=${dayOf(DAYS - 1)}`;

/** Each request has another website or program, so that no cache helps. */
const QUESTIONS = {
  'first byte of everything': () => `admin/transactions?${ALL}`,
  'a page of everything, limit=100': () => `admin/transactions?${ALL}&limit=100`,
  "one affiliate's month": (at: number) => `affiliate/transactions?${MONTH}&publisher_id=${1 + at}`,
  "one website's month, admin": (at: number) =>
    `admin/transactions?${MONTH}&publisher_id=${1 + at}`,
  "one program's month, admin": (at: number) =>
    `admin/transactions?${MONTH}&program_id=${1 + (at % 50)}`,
  'everything by day, admin': () => `admin/transactions/summary?${ALL}&group_by=day`,
};

type Question = keyof typeof QUESTIONS;

/** Milliseconds to the first or the last byte; cancels the rest. */
async function timeOf(url: string, token: string, isFirst: boolean): Promise<number> {
  const started = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${token}` };
  const request = get(url, { headers, agent: false }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`Status ${response.statusCode}`));
    const done = () => resolve(performance.now() - started);
    response.once(isFirst ? 'data' : 'end', done).resume();
  });
  request.on('error', reject);
  const time = await promise;
  request.destroy();
  return time;
}

async function measure(data: DataSet, server: ServerProcess): Promise<Record<Question, number>> {
  const measured: [string, number][] = [];
  for (const [question, path] of Object.entries(QUESTIONS)) {
    const times: number[] = [];
    for (let at = 0; at < TIMES; at += 1) {
      const asked = path(at);
      const token = asked.startsWith('admin') ? data.adminToken : data.affiliateToken;
      const isFirst = question.startsWith('first byte');
      times.push(await timeOf(`${server.url}/api/${asked}`, token, isFirst));
    }
    measured.push([question, median(times.slice(TIMES / 3))]);
  }
  return Object.fromEntries(measured) as Record<Question, number>;
}

const results: Record<Question, number>[] = [];
for (const millions of SIZES) {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    console.error(`Making ${millions} million sales …`);
    const data = await makeDataSet(directory, millions * 1_000_000, { withCsv: false });
    results.push(await ServerProcess.during(data.url, (server) => measure(data, server)));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
console.log(`| Medians | ${SIZES.map((size) => `${size} million rows`).join(' | ')} | Ratio |`);
console.log(`|---|${SIZES.map(() => '---|').join('')}---|`);
for (const question of Object.keys(QUESTIONS) as Question[]) {
  const times = results.map((result) => result[question]);
  const ratio = (times.at(-1) ?? 0) / (times[0] ?? 1);
  const shown = times.map((time) => `${time.toFixed(1)} ms`).join(' | ');
  console.log(`| ${question} | ${shown} | ${ratio.toFixed(2)}× |`);
}
