/** Benchmark of all sales in one response, against peers that send the same rows. */

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { DAYS, type DataSet, dayOf } from './data-set.ts';
import { type Download, download, median } from './download.ts';
import type { Line } from './line.ts';
import type { startClickHouse } from './peers/clickhouse-http.ts';
import type { Peer } from './peers/peer.ts';
import type { PostgresPeers } from './peers/postgres.ts';
import { ServerProcess } from './server-process.ts';
import { importRows } from './small-imports.ts';

const RUNS = 5;
/** Downloads right after an import. */
const AFTER_IMPORTS = 3;
/** Runs of the PostgreSQL peers, which take about ten times as long as the service. */
const SLOW_RUNS = 2;

interface Peers {
  readonly nginx: Peer | undefined;
  readonly postgres: PostgresPeers | undefined;
  readonly clickhouse: Awaited<ReturnType<typeof startClickHouse>>;
}

/** The measurements of the service. */
export interface OwnBulk {
  readonly bytes: number;
  /** Medians in seconds. */
  readonly total: number;
  readonly first: number;
  /** Medians in seconds, right after an import. */
  readonly totalAfterImport: number;
  readonly firstAfterImport: number;
  /** The peak memory of the server. */
  readonly memory: string;
}

const PATH = `/api/admin/transactions?type=sales&start_date=${dayOf(0)}&end_date=${dayOf(DAYS - 1)}`;

/** Measures the service alone, with a filled month cache, and writes the response to a file. */
export const benchOwnBulk = async (data: DataSet, file: string): Promise<OwnBulk> =>
  await ServerProcess.during(data.url, async (server) => {
    await server.idle();
    const url = server.url + PATH;
    await download(url, data.adminToken, { to: file });
    await check(file, data.rows);
    const runs = await repeated(RUNS, url, data.adminToken);
    const afterImports: Download[] = [];
    while (afterImports.length < AFTER_IMPORTS) {
      await importRows(data);
      afterImports.push(await download(url, data.adminToken));
    }
    return {
      bytes: runs[0]?.bytes ?? 0,
      total: median(runs.map(({ total }) => total)),
      first: median(runs.map(({ first }) => first)),
      totalAfterImport: median(afterImports.map(({ total }) => total)),
      firstAfterImport: median(afterImports.map(({ first }) => first)),
      memory: await server.peakMemory(),
    };
  });

async function repeated(times: number, url: string, token?: string): Promise<readonly Download[]> {
  const runs: Download[] = [];
  for (let run = 0; run < times; run += 1) runs.push(await download(url, token));
  return runs;
}

export async function benchBulk(
  { bytes, total, first, totalAfterImport, firstAfterImport, memory }: OwnBulk,
  data: DataSet,
  { nginx, postgres, clickhouse }: Peers,
): Promise<readonly Line[]> {
  const rate = (seconds: number) => `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`;
  const timeOf = async (times: number, url: string, token?: string) =>
    median((await repeated(times, url, token)).map((run) => run.total));
  const lines: Line[] = [
    {
      what: 'All sales in one answer, embedded',
      measured: `${(bytes / 1e6).toFixed(0)} MB in ${total.toFixed(2)} s, ${rate(total)}`,
    },
    { what: '— first byte', measured: `${(first * 1000).toFixed(1)} ms` },
    {
      what: '— right after an import of 1,000 rows',
      measured: rate(totalAfterImport),
      against: 'before the imports',
      ratio: total / totalAfterImport,
    },
    {
      what: '— first byte right after an import',
      measured: `${(firstAfterImport * 1000).toFixed(1)} ms`,
    },
    { what: '— maximum memory of the server', measured: memory },
  ];
  const fast = [nginx, clickhouse.rendered, clickhouse.rows].map((peer) => [peer, RUNS] as const);
  const slow = [postgres?.copy, postgres?.stream].map((peer) => [peer, SLOW_RUNS] as const);
  for (const [peer, times] of [...fast, ...slow]) {
    if (peer === undefined) continue;
    const seconds = await timeOf(times, peer.bulkUrl);
    lines.push({
      what: '— all sales, compared with a peer',
      measured: rate(total),
      against: `${peer.name}: ${rate(seconds)}`,
      ratio: seconds / total,
    });
  }
  const [through, straight] = await ServerProcess.during(clickhouse.address, async ({ url }) => [
    await timeOf(RUNS, url + PATH, data.adminToken),
    await timeOf(RUNS, clickhouse.rendered.bulkUrl),
  ]);
  lines.push({
    what: '— through a ClickHouse server',
    measured: rate(through),
    against: `${clickhouse.rendered.name}: ${rate(straight)}`,
    ratio: straight / through,
  });
  return lines;
}

/** Parses a response of any size line by line: each line of the array is one record. */
async function check(file: string, wanted: number): Promise<void> {
  let rows = 0;
  let last = '';
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line.startsWith('{'))
      rows += Number(typeof JSON.parse(line.replace(/,$/, '')) === 'object');
    last = line;
  }
  if (last !== ']' || rows !== wanted)
    throw new Error(`The response has ${rows} rows of ${wanted}.`);
}
