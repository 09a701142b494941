/** Many slow readers at once, and small questions beside them. */

import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAYS, type DataSet, dayOf } from './data-set.ts';
import type { Line } from './line.ts';
import type { ServerProcess } from './server-process.ts';

const READERS = 200;
const BYTES_A_SECOND = 100_000;
const SECONDS = 20;

export async function benchReaders(server: ServerProcess, data: DataSet): Promise<readonly Line[]> {
  const before = await server.memory('now');
  const url = `${server.url}/api/admin/transactions?type=sales&start_date=${dayOf(0)}&end_date=${dayOf(DAYS - 1)}`;
  const leaving = new AbortController();
  const readers = Array.from({ length: READERS }, () =>
    readSlowly(url, data.adminToken, leaving.signal),
  );
  const probes: number[] = [];
  let most = before;
  const until = performance.now() + SECONDS * 1000;
  while (performance.now() < until) {
    probes.push(await probe(server, data));
    most = Math.max(most, await server.memory('now'));
    await sleep(50);
  }
  leaving.abort();
  const bytes = (await Promise.all(readers)).reduce((all, each) => all + each, 0);
  const sorted = probes.toSorted((one, other) => one - other);
  return [
    {
      what: `${READERS} readers at ${BYTES_A_SECOND / 1000} kB/s each: memory beyond the baseline`,
      measured: `${(most - before).toFixed(0)} MB`,
    },
    { what: '— read by them', measured: `${(bytes / 1e6 / SECONDS).toFixed(1)} MB/s` },
    {
      what: "— one website's days meanwhile, 99th percentile",
      measured: `${(sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(0)} ms`,
    },
  ];
}

/** Reads at a steady pace until it is told to leave; returns the bytes that it read. */
async function readSlowly(url: string, token: string, signal: AbortSignal): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const started = performance.now();
  let bytes = 0;
  const request = get(
    url,
    { headers: { authorization: `Bearer ${token}` }, signal, agent: false },
    (response) => {
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        const ahead = (bytes / BYTES_A_SECOND) * 1000 - (performance.now() - started);
        if (ahead <= 0) return;
        response.pause();
        setTimeout(() => response.resume(), ahead);
      });
      response.on('error', () => resolve(bytes));
    },
  );
  request.on('error', () => resolve(bytes));
  return await promise;
}

async function probe(server: ServerProcess, data: DataSet): Promise<number> {
  const started = performance.now();
  const response = await fetch(
    `${server.url}/api/affiliate/transactions?type=sales&start_date=${dayOf(3)}&end_date=${dayOf(11)}&publisher_id=${data.websites[0]}`,
    { headers: { authorization: `Bearer ${data.affiliateToken}` } },
  );
  await response.arrayBuffer();
  return performance.now() - started;
}
