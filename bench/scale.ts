/** `npm run bench:scale`: the same requests on databases of growing size. */

import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isKind, KINDS } from '../src/contract/record/kinds.ts';
import { linesIn } from '../src/engine/row-count.ts';
import { DAYS, type DataSet, dayOf, makeDataSet } from './data-set.ts';
import { download, median } from './download.ts';
import { ServerProcess } from './server-process.ts';

/** Millions of rows. */
const SIZES = (process.env.BENCH_SCALE ?? '1,10').split(',').map(Number);

const KIND = process.env.BENCH_SCALE_TYPE ?? 'sales';
if (!isKind(KIND)) throw new Error(`BENCH_SCALE_TYPE must be one of ${KINDS.join(', ')}.`);

const TIMES = 60;
const MONTH = `type=${KIND}&start_date=${dayOf(31)}&end_date=${dayOf(58)}`;
const ALL = `type=${KIND}&start_date=${dayOf(0)}&end_date=${dayOf(DAYS - 1)}`;

/** Each request for a website or program names the next one, so that it rarely repeats an earlier request. */
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

interface Measured {
  /** Medians in milliseconds. */
  readonly times: Readonly<Record<Question, number>>;
  readonly download: string;
  readonly memory: string;
}

async function measure(data: DataSet, server: ServerProcess): Promise<Measured> {
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
  const everything = `${server.url}/api/admin/transactions?${ALL}`;
  const { bytes, total } = await download(everything, data.adminToken);
  const rows = await linesOf(`${everything}&format=ndjson`, data.adminToken);
  if (rows !== data.rows) throw new Error(`Received ${rows} of ${data.rows} rows.`);
  return {
    times: Object.fromEntries(measured) as Record<Question, number>,
    download: `${(bytes / 1e9).toFixed(2)} GB in ${total.toFixed(1)} s, ${(bytes / 1e6 / total).toFixed(0)} MB/s`,
    memory: await server.peakMemory(),
  };
}

/** The number of lines of a response; throws if it is cut. */
async function linesOf(url: string, token: string): Promise<number> {
  const { status, body } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (status !== 200 || body === null) throw new Error(`Status ${status}`);
  let lines = 0;
  for await (const chunk of body) lines += linesIn(chunk);
  return lines;
}

const results: Measured[] = [];
for (const millions of SIZES) {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    console.error(`Making ${millions} million ${KIND} …`);
    const rows = millions * 1_000_000;
    const data = await makeDataSet(directory, rows, { withCsv: false, kind: KIND });
    results.push(await ServerProcess.during(data.url, (server) => measure(data, server)));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

console.log(row('Medians', ...SIZES.map((size) => `${size} million ${KIND}`), 'Ratio'));
console.log(`|---|${SIZES.map(() => '---|').join('')}---|`);
for (const question of Object.keys(QUESTIONS) as Question[]) {
  const times = results.map((result) => result.times[question]);
  const ratio = (times.at(-1) ?? 0) / (times[0] ?? 1);
  console.log(
    row(question, ...times.map((time) => `${time.toFixed(1)} ms`), `${ratio.toFixed(2)}×`),
  );
}
console.log(row('everything in one response', ...results.map((result) => result.download), ''));
console.log(row('maximum memory of the server', ...results.map(({ memory }) => memory), ''));
