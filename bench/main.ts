/** `npm run bench`: measures the service against its peers on this machine and prints one table. */

import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { benchAudit } from './audit.ts';
import { benchBulk, benchOwnBulk, type OwnBulk } from './bulk.ts';
import { benchChanges } from './changes.ts';
import { type DataSet, makeDataSet } from './data-set.ts';
import { benchFirstView } from './first-view.ts';
import { benchFormats } from './formats.ts';
import { benchImport } from './import.ts';
import { benchImports } from './imports.ts';
import type { Line } from './line.ts';
import { benchPages } from './pages.ts';
import { NEEDS_NO_ROWS, PARTS, type Part, wantedParts } from './parts.ts';
import { startClickHouse } from './peers/clickhouse-http.ts';
import { startNginx } from './peers/nginx.ts';
import { NotInstalled } from './peers/peer.ts';
import { type PostgresPeers, startPostgres } from './peers/postgres.ts';
import { benchPerformance } from './performance.ts';
import { benchReaders } from './readers.ts';
import { benchWaiters } from './waiters.ts';

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);

/** The complete response as a file, for nginx. */
const ANSWER = 'answer.json';

const wanted = wantedParts(process.argv.slice(2));
const measured: Partial<Record<Part, readonly Line[]>> = {};
const leftOut: string[] = [];

const directory = await mkdtemp(join(tmpdir(), 'bench-'));
await chmod(directory, 0o755);
try {
  if (PARTS.some((part) => !NEEDS_NO_ROWS.has(part) && wanted.has(part))) await measureRows();
  await measure('audit', () => benchAudit(directory));
  await measure('imports', () => benchImports(directory));
  await measure('waiters', () => benchWaiters(directory));
  await measure('changes', () => benchChanges(directory));
  print(PARTS.flatMap((part) => measured[part] ?? []));
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function measure(part: Part, bench: () => Promise<readonly Line[]>): Promise<void> {
  if (!wanted.has(part)) return;
  console.error(`Measuring ${part} …`);
  const lines = await bench();
  measured[part] = lines;
  // Printed at once, so that they are not lost if the run is stopped later.
  for (const line of lines) console.error(rowOf(line));
}

/** Measures the parts of the benchmark that need many rows. Peers start last, because they use memory and CPU. */
async function measureRows(): Promise<void> {
  console.error(`Making ${ROWS.toLocaleString('en')} sales …`);
  const data = await makeDataSet(directory, ROWS);
  const own = wanted.has('bulk') ? await benchOwnBulk(data, join(directory, ANSWER)) : undefined;
  await measure('first-view', () => benchFirstView(data));
  await measure('performance', () => benchPerformance(data));
  await measure('formats', () => benchFormats(data));
  await measure('readers', () => benchReaders(data));
  await measure('import', () => benchImport(directory, data));
  if (own === undefined && !wanted.has('pages')) return;
  const postgres = await ifInstalled(startPostgres(directory, data.csv));
  try {
    await measure('pages', () => benchPages(data, postgres?.copy));
    if (own) await measure('bulk', () => bulkBesidePeers(own, data, postgres));
  } finally {
    await postgres?.copy.stop();
  }
}

async function bulkBesidePeers(
  own: OwnBulk,
  data: DataSet,
  postgres: PostgresPeers | undefined,
): Promise<readonly Line[]> {
  await cp(join(directory, 'db'), join(directory, 'server'), { recursive: true });
  const clickhouse = await startClickHouse(join(directory, 'server'));
  const nginx = await ifInstalled(startNginx(directory, ANSWER));
  try {
    return await benchBulk(own, data, { nginx, postgres, clickhouse });
  } finally {
    await Promise.all([clickhouse.rows.stop(), nginx?.stop()]);
  }
}

/** Skips a peer that is not installed, and notes its name for the output. */
async function ifInstalled<Started>(start: Promise<Started>): Promise<Started | undefined> {
  return await start.catch((error: unknown) => {
    if (!(error instanceof NotInstalled)) throw error;
    leftOut.push(error.message);
    return undefined;
  });
}

function print(lines: readonly Line[]): void {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const cpu = cpus()[0]?.model.trim() ?? 'unknown CPU';
  console.log(
    `${availableParallelism()} cores of ${cpu}, ${gigabytes} GiB, Node.js ${process.version}, ${ROWS.toLocaleString('en')} sales, ${new Date().toISOString().slice(0, 10)}.`,
  );
  if (leftOut.length > 0)
    console.log(`Left out, because they are not installed: ${leftOut.join(', ')}.`);
  console.log('\n| What | Measured | Against | Ratio |\n|---|---|---|---|');
  for (const line of lines) console.log(rowOf(line));
}

/** A row of the Markdown table. */
function rowOf({ what, measured, against = '', ratio }: Line): string {
  const factor = ratio === undefined ? '' : `${ratio.toFixed(2)}×`;
  return `| ${what} | ${measured} | ${against} | ${factor} |`;
}
