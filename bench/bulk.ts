/** All sales in one answer, against everybody who can give the same bytes. */

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { DAYS, type DataSet, dayOf } from './data-set.ts';
import { download, median } from './download.ts';
import type { Line } from './line.ts';
import type { startClickHouse } from './peers/clickhouse-http.ts';
import type { Peer } from './peers/peer.ts';
import type { PostgresPeers } from './peers/postgres.ts';
import { ServerProcess } from './server-process.ts';

const RUNS = 5;
/** Those that take ten times as long are measured less often. */
const SLOW_RUNS = 2;

interface Peers {
  readonly nginx: Peer | undefined;
  readonly postgres: PostgresPeers | undefined;
  readonly clickhouse: Awaited<ReturnType<typeof startClickHouse>>;
}

export async function benchBulk(
  server: ServerProcess,
  data: DataSet,
  file: string,
  { nginx, postgres, clickhouse }: Peers,
): Promise<readonly Line[]> {
  const path = `/api/admin/transactions?type=sales&start_date=${dayOf(0)}&end_date=${dayOf(DAYS - 1)}`;
  await download(server.url + path, data.adminToken, file);
  await check(file, data.rows);
  const remote = await ServerProcess.start(clickhouse.address);
  const peers = [nginx, clickhouse.rendered, clickhouse.rows].filter((peer) => peer !== undefined);
  const slow = [postgres?.copy, postgres?.stream].filter((peer) => peer !== undefined);
  const own: number[] = [];
  const first: number[] = [];
  const through: number[] = [];
  const times = new Map<Peer, number[]>([...peers, ...slow].map((peer) => [peer, []]));
  let bytes = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const answer = await download(server.url + path, data.adminToken);
    bytes = answer.bytes;
    own.push(answer.total);
    first.push(answer.first);
    through.push((await download(remote.url + path, data.adminToken)).total);
    for (const peer of run < SLOW_RUNS ? [...peers, ...slow] : peers) {
      times.get(peer)?.push((await download(peer.bulkUrl)).total);
    }
  }
  await remote.stop();
  const total = median(own);
  const rate = (seconds: number) => `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`;
  const straight = median(times.get(clickhouse.rendered) ?? []);
  return [
    {
      what: 'All sales in one answer, embedded',
      measured: `${(bytes / 1e6).toFixed(0)} MB in ${total.toFixed(2)} s, ${rate(total)}`,
    },
    ...[...times].map(([peer, seconds]) => ({
      what: '— the same',
      measured: rate(total),
      against: `${peer.name}: ${rate(median(seconds))}`,
      ratio: median(seconds) / total,
    })),
    {
      what: '— through a ClickHouse server',
      measured: rate(median(through)),
      against: `${clickhouse.rendered.name}: ${rate(straight)}`,
      ratio: straight / median(through),
    },
    { what: '— first byte', measured: `${(median(first) * 1000).toFixed(1)} ms` },
    {
      what: '— memory of the server at the most',
      measured: `${(await server.memory('peak')).toFixed(0)} MB`,
    },
  ];
}

/** Parses an answer of any size line by line: each line of the array holds one record. */
async function check(file: string, wanted: number): Promise<void> {
  let rows = 0;
  let last = '';
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line.startsWith('{'))
      rows += Number(typeof JSON.parse(line.replace(/,$/, '')) === 'object');
    last = line;
  }
  if (last !== ']' || rows !== wanted) throw new Error(`The answer has ${rows} rows of ${wanted}.`);
}
