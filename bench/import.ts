/** Benchmark of an import of a sales file into a new database, by the command. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DataSet } from './data-set.ts';
import { median } from './download.ts';
import type { Line } from './line.ts';

const COMMAND = fileURLToPath(new URL('../bin/transactions.js', import.meta.url));
const RUNS = 3;

export async function benchImport(directory: string, data: DataSet): Promise<readonly Line[]> {
  const rates: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const database = `chdb:${join(directory, `import-${run}`)}`;
    const args = [COMMAND, 'import', data.csvWithHeader, '--json', '--database', database];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const report = JSON.parse(stdout) as { rows_per_second: number; imported: number };
    if (report.imported !== data.rows) throw new Error(`Imported ${report.imported} rows.`);
    rates.push(report.rows_per_second);
  }
  return [
    {
      what: 'Import of sales CSV, checked, all tables',
      measured: `${median(rates).toLocaleString('en')} rows/s`,
    },
  ];
}
