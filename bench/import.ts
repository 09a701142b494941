/** Benchmark of the command `import` with a sales file, into a new database and into a filled one. */

import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DataSet } from './data-set.ts';
import { median } from './download.ts';
import type { Line } from './line.ts';
import { memoryOf, memoryText, type PeakMemory } from './process-memory.ts';

const COMMAND = fileURLToPath(new URL('../bin/transactions.js', import.meta.url));
const RUNS = 3;

/** Milliseconds between two readings of the memory. */
const READING_INTERVAL = 100;

interface Run {
  /** Rows a second. */
  readonly rate: number;
  readonly memory: PeakMemory;
}

export async function benchImport(directory: string, data: DataSet): Promise<readonly Line[]> {
  const first: Run[] = [];
  const second: Run[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const path = join(directory, `import-${run}`);
    first.push(await importFile(data.csvWithHeader, path, data.rows));
    second.push(await importFile(data.otherCsv, path, data.rows));
    await rm(path, { recursive: true, force: true });
  }
  const rate = (runs: readonly Run[]) => median(runs.map((run) => run.rate));
  const memory = (runs: readonly Run[]) =>
    memoryText({
      all: Math.max(...runs.map((run) => run.memory.all)),
      own: Math.max(...runs.map((run) => run.memory.own)),
    });
  const shown = (runs: readonly Run[]) => `${Math.round(rate(runs)).toLocaleString('en')} rows/s`;
  return [
    { what: 'Import of sales CSV, checked, all tables', measured: shown(first) },
    { what: '— maximum memory of the process', measured: memory(first) },
    {
      what: '— as many more sales into the same database',
      measured: shown(second),
      against: `the first import: ${shown(first)}`,
      ratio: rate(second) / rate(first),
    },
    { what: '— maximum memory of the process', measured: memory(second) },
  ];
}

async function importFile(file: string, path: string, rows: number): Promise<Run> {
  const args = [COMMAND, 'import', file, '--json', '--database', `chdb:${path}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = text(child.stdout);
  let memory: PeakMemory = { all: 0, own: 0 };
  const known = async (which: 'peak' | 'own') => await memoryOf(child.pid, which).catch(() => 0);
  while (child.exitCode === null && child.signalCode === null) {
    memory = {
      all: Math.max(memory.all, await known('peak')),
      own: Math.max(memory.own, await known('own')),
    };
    await sleep(READING_INTERVAL);
  }
  const report = JSON.parse(await output) as { rows_per_second: number; imported: number };
  if (report.imported !== rows) throw new Error(`Imported ${report.imported} rows.`);
  return { rate: report.rows_per_second, memory };
}
