/** Benchmark of small requests beside many slow readers, downloads and imports. */

import { setTimeout as sleep } from 'node:timers/promises';
import { DAYS, type DataSet, dayOf } from './data-set.ts';
import { download } from './download.ts';
import type { Line } from './line.ts';
import { ServerProcess } from './server-process.ts';
import { SlowReaders } from './slow-readers.ts';
import { whileImporting } from './small-imports.ts';

const READERS = 200;
const BYTES_A_SECOND = 100_000;
/** Seconds of each phase after all readers have connected. */
const SECONDS = 20;

/** Downloads at full speed. */
const DOWNLOADS = 8;

const EVERYTHING = `/api/admin/transactions?type=sales&start_date=${dayOf(0)}&end_date=${dayOf(DAYS - 1)}`;

/** Small requests without other load, before the readers start. The first half is a warm-up. */
const ALONE = 200;

export const benchReaders = async (data: DataSet): Promise<readonly Line[]> =>
  await ServerProcess.during(data.url, async (server) => {
    // Waits until the month cache is filled, so that its memory does not count as that of the readers.
    await server.idle();
    const alone: number[] = [];
    while (alone.length < ALONE) alone.push(await probe(server, data, alone.length));
    const before = await server.memory('now');
    const { whileConnecting, whileReading, besideAll, most, rate, downloadRate } =
      await besideReaders(server, data);
    return [
      {
        what: `${READERS} readers at ${BYTES_A_SECOND / 1000} kB/s each: additional memory`,
        measured: `${(most - before).toFixed(0)} MB`,
        against: `before them: ${before.toFixed(0)} MB`,
      },
      { what: '— read by them', measured: `${(rate / 1e6).toFixed(1)} MB/s` },
      {
        what: '— first page of a different website each time meanwhile, `limit=100`, 99th percentile',
        measured: `${ninetyNinth(whileReading).toFixed(0)} ms`,
        against: `without other readers: ${ninetyNinth(alone.slice(ALONE / 2)).toFixed(0)} ms`,
      },
      {
        what: `— the same, also beside ${DOWNLOADS} downloads at full speed and an import every 5 seconds`,
        measured: `${ninetyNinth(besideAll).toFixed(0)} ms`,
      },
      { what: '— read by these downloads', measured: `${(downloadRate / 1e6).toFixed(0)} MB/s` },
      {
        what: '— the slowest of these requests while all readers connect',
        measured: `${Math.max(...whileConnecting).toFixed(0)} ms`,
      },
    ];
  });

/** Times small requests in three phases: while readers connect, while they read, and beside downloads and imports. */
async function besideReaders(server: ServerProcess, data: DataSet) {
  const started = performance.now();
  const readers = new SlowReaders({
    url: server.url + EVERYTHING,
    token: data.adminToken,
    readers: READERS,
    bytesPerSecond: BYTES_A_SECOND,
  });
  let count = ALONE;
  let most = 0;
  const probeUntil = async (isOver: () => boolean) => {
    const times: number[] = [];
    while (!isOver()) {
      readers.throwIfFailed();
      times.push(await probe(server, data, count++));
      most = Math.max(most, await server.memory('now'));
      await sleep(50);
    }
    return times;
  };
  try {
    const whileConnecting = await probeUntil(() => readers.progress.haveAllBegun);
    const whileReading = await probeUntil(endOfPart());
    const rate = (readers.progress.bytes / (performance.now() - started)) * 1000;
    const beforeDownloads = { most, rate };
    const { result: besideAll, rate: downloadRate } = await besideDownloads(
      server,
      data,
      async () => whileImporting(data, async () => await probeUntil(endOfPart())),
    );
    return { whileConnecting, whileReading, besideAll, downloadRate, ...beforeDownloads };
  } finally {
    await readers.leave();
  }
}

function endOfPart(): () => boolean {
  const until = performance.now() + SECONDS * 1000;
  return () => performance.now() >= until;
}

/**
 * Downloads everything again and again, over several connections, until the work is done. `rate` is the bytes per
 * second of all connections together.
 */
async function besideDownloads<Result>(
  { url }: ServerProcess,
  data: DataSet,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly rate: number }> {
  let isDone = false;
  let read = 0;
  const started = performance.now();
  const downloadAgain = async () => {
    while (!isDone) read += (await download(url + EVERYTHING, data.adminToken)).bytes;
  };
  const all = Promise.allSettled(Array.from({ length: DOWNLOADS }, downloadAgain));
  const result = await work().finally(() => {
    isDone = true;
  });
  const failed = (await all).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return { result, rate: (read / (performance.now() - started)) * 1000 };
}

const ninetyNinth = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN;

/** Requests a page of the next website, and returns the milliseconds that it took. */
async function probe(server: ServerProcess, data: DataSet, at: number): Promise<number> {
  const website = data.websites[at % data.websites.length];
  const started = performance.now();
  const response = await fetch(
    `${server.url}/api/affiliate/transactions?type=sales&start_date=${dayOf(3)}&end_date=${dayOf(30)}&publisher_id=${website}&limit=100`,
    { headers: { authorization: `Bearer ${data.affiliateToken}` } },
  );
  if (response.status !== 200) throw new Error(`Status ${response.status}`);
  await response.arrayBuffer();
  return performance.now() - started;
}
