/** `npm run bench`: measures the service on this machine and prints one table. */

import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DAYS, type DataSet, dayOf, makeDataSet } from './data-set.ts';
import { download, median } from './download.ts';
import { ServerProcess } from './server-process.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const RUNS = 7;

interface Line {
  readonly what: string;
  readonly measured: string;
}

const directory = await mkdtemp(join(tmpdir(), 'bench-'));
try {
  console.error(`Making ${ROWS.toLocaleString('en')} sales …`);
  const data = await makeDataSet(join(directory, 'db'), ROWS);
  const server = await ServerProcess.start(data.url);
  try {
    print([...(await bulk(server, data)), ...(await pages(server, data))]);
  } finally {
    await server.stop();
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function bulk(server: ServerProcess, data: DataSet): Promise<readonly Line[]> {
  const url = `${server.url}/api/admin/transactions?type=sales&start_date=${dayOf(0)}&end_date=${dayOf(DAYS - 1)}`;
  const file = join(directory, 'answer.json');
  await download(url, data.adminToken, file);
  const rows = await rowsOf(file);
  if (rows !== ROWS) throw new Error(`The answer has ${rows} rows instead of ${ROWS}.`);
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await download(url, data.adminToken));
  const total = median(runs.map((run) => run.total));
  const bytes = runs[0]?.bytes ?? 0;
  return [
    {
      what: `All ${ROWS.toLocaleString('en')} sales in one answer`,
      measured: `${(bytes / 1e6).toFixed(0)} MB in ${total.toFixed(2)} s`,
    },
    { what: '— throughput', measured: `${(bytes / 1e6 / total).toFixed(0)} MB/s` },
    {
      what: '— first byte',
      measured: `${(median(runs.map((run) => run.first)) * 1000).toFixed(1)} ms`,
    },
    {
      what: '— memory of the server at the most',
      measured: `${(await server.memory('peak')).toFixed(0)} MB`,
    },
  ];
}

/** Parses an answer of any size line by line: each line of the array holds one record. */
async function rowsOf(file: string): Promise<number> {
  let rows = 0;
  let last = '';
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line.startsWith('{'))
      rows += Number(typeof JSON.parse(line.replace(/,$/, '')) === 'object');
    last = line;
  }
  if (last !== ']') throw new Error('The answer is not whole.');
  return rows;
}

/** A few days of one affiliate, each question another one. */
async function pages(server: ServerProcess, data: DataSet): Promise<readonly Line[]> {
  const times = [];
  for (let at = 0; at < 200; at += 1) {
    const first = at % (DAYS - 9);
    const url = `${server.url}/api/affiliate/transactions?type=sales&start_date=${dayOf(first)}&end_date=${dayOf(first + 8)}`;
    const started = performance.now();
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${data.affiliateToken}` },
    });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`Status ${response.status}`);
    times.push(performance.now() - started);
  }
  return [{ what: "One affiliate's nine days", measured: `${median(times).toFixed(1)} ms` }];
}

function print(lines: readonly Line[]): void {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const cpu = cpus()[0]?.model.trim() ?? 'unknown CPU';
  console.log(
    `${availableParallelism()} cores of ${cpu}, ${gigabytes} GiB, Node.js ${process.version}`,
  );
  console.log(`medians of ${RUNS} runs\n`);
  console.log('| What | Measured |\n|---|---|');
  for (const { what, measured } of lines) console.log(`| ${what} | ${measured} |`);
}
