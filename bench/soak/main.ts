/** `npm run soak -- --minutes 30`: runs readers, imports, revocations and kills, and reports failed invariants. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mountSmallDisk } from '../../test/support/run/small-disk.ts';
import { fillDisk } from './fill-disk.ts';
import { csvOf, JANUARY_ROWS, type Soak } from './soak.ts';
import { importRows, killServer, revokeTokens, sampleServer } from './soak-actors.ts';
import { readLists, readOthers, readSummaries } from './soak-readers.ts';
import { SoakReport } from './soak-report.ts';
import { SoakServer } from './soak-server.ts';

/**
 * Milliseconds between two kills in a soak of 6 to 12 minutes. In a longer soak it is a sixth of its
 * duration, and in a shorter one a third.
 */
const KILL_INTERVAL = 120_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    // Megabytes of a disk that is filled again and again.
    disk: { type: 'string' },
  },
});
const milliseconds = Number(values.minutes) * 60_000;
if (!(milliseconds > 0)) throw new Error('--minutes must be a number, such as 30 or 0.5.');

const directory = await mkdtemp(join(tmpdir(), 'transactions-soak-'));
const disk = values.disk === undefined ? undefined : await mountSmallDisk(Number(values.disk));
if (values.disk !== undefined && disk === undefined)
  throw new Error('--disk needs the right to mount a file system, such as that of root.');
const server = new SoakServer(`chdb:${join(disk?.path ?? directory, 'data')}`);
const report = new SoakReport();
try {
  const january = join(directory, 'january.csv');
  await writeFile(january, csvOf('01', JANUARY_ROWS, 1));
  await server.run('import', january, '--type', 'sales');
  const created = await server.run('token', 'create', '--json', '--role', 'admin');
  const { token } = JSON.parse(created) as { token: string };
  await server.start();
  const soak: Soak = {
    server,
    report,
    directory,
    token,
    killInterval: Math.min(Math.max(KILL_INTERVAL, milliseconds / 6), milliseconds / 3),
    end: AbortSignal.timeout(milliseconds),
    confirmed: 0,
  };
  const actors = [
    readLists,
    readLists,
    readSummaries,
    readOthers,
    importRows,
    revokeTokens,
    killServer,
    sampleServer,
  ];
  const filling = disk === undefined ? [] : [fillDisk(disk, soak)];
  await Promise.all([...actors.map(async (act) => await act(soak)), ...filling]);
} finally {
  await server.end('SIGTERM');
  await disk?.unmount();
  await rm(directory, { recursive: true, force: true, maxRetries: 10 });
}
if (!report.print()) process.exitCode = 1;
