/** `npm run bench`: measures the service against its peers on this machine and prints one table. */

import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { benchBulk, benchOwnBulk } from './bulk.ts';
import { makeDataSet } from './data-set.ts';
import { benchFormats } from './formats.ts';
import { benchImport } from './import.ts';
import type { Line } from './line.ts';
import { benchPages } from './pages.ts';
import { startClickHouse } from './peers/clickhouse-http.ts';
import { startNginx } from './peers/nginx.ts';
import { NotInstalled } from './peers/peer.ts';
import { startPostgres } from './peers/postgres.ts';
import { benchReaders } from './readers.ts';
import { ServerProcess } from './server-process.ts';

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);

const leftOut: string[] = [];

/** A peer that is not on this machine is left out and named. */
async function ifInstalled<Started>(start: Promise<Started>): Promise<Started | undefined> {
  return await start.catch((error: unknown) => {
    if (!(error instanceof NotInstalled)) throw error;
    leftOut.push(error.message);
    return undefined;
  });
}

const directory = await mkdtemp(join(tmpdir(), 'bench-'));
await chmod(directory, 0o755);
try {
  console.error(`Making ${ROWS.toLocaleString('en')} sales …`);
  const data = await makeDataSet(directory, ROWS);
  await cp(join(directory, 'db'), join(directory, 'server'), { recursive: true });
  const lines: Line[] = [];
  const server = await ServerProcess.start(data.url);
  const own = await benchOwnBulk(server, data, join(directory, 'answer.json'));
  const memory = await server.memory('peak');
  lines.push(...(await benchFormats(server, data)));
  lines.push(...(await benchReaders(server, data)));
  const clickhouse = await startClickHouse(join(directory, 'server'));
  const nginx = await ifInstalled(startNginx(directory, 'answer.json'));
  const postgres = await ifInstalled(startPostgres(directory, data.csv));
  try {
    lines.unshift(...(await benchPages(server, data, postgres?.copy)));
    lines.unshift(...(await benchBulk(own, memory, data, { nginx, postgres, clickhouse })));
  } finally {
    const peers = [clickhouse.rows, nginx, postgres?.copy];
    await Promise.all([server.stop(), ...peers.map((peer) => peer?.stop())]);
  }
  lines.push(...(await benchImport(directory, data)));
  print(lines);
} finally {
  await rm(directory, { recursive: true, force: true });
}

function print(lines: readonly Line[]): void {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const cpu = cpus()[0]?.model.trim() ?? 'unknown CPU';
  console.log(
    `${availableParallelism()} cores of ${cpu}, ${gigabytes} GiB, Node.js ${process.version}, ${ROWS.toLocaleString('en')} sales, ${new Date().toISOString().slice(0, 10)}.`,
  );
  if (leftOut.length > 0) console.log(`Left out, as not installed: ${leftOut.join(', ')}.`);
  console.log('\n| What | Measured | Against | Ratio |\n|---|---|---|---|');
  for (const { what, measured, against = '', ratio } of lines) {
    console.log(
      `| ${what} | ${measured} | ${against} | ${ratio === undefined ? '' : `${ratio.toFixed(2)}×`} |`,
    );
  }
}
