/** Benchmark of a thousand small imports into one database: their time, and the number of data parts. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { LocalOperator } from '../src/control/local-operator.ts';
import { openDatabase } from '../src/database/open-database.ts';
import type { Reader } from '../src/engine/engine.ts';
import { INTEGER, select } from '../src/plan/select.ts';
import { plainStatement } from '../src/plan/sql.ts';
import { TRANSACTION_TABLES } from '../src/schema/transaction-tables.ts';
import { median } from './download.ts';
import type { Line } from './line.ts';

const IMPORTS = Number(process.env.BENCH_IMPORTS ?? 1000);
const MONTHS = 12;

/** Rows per import and month. */
const ROWS_A_MONTH = 2;
const ROWS = MONTHS * ROWS_A_MONTH;

const TABLES = TRANSACTION_TABLES.map(({ table }) => `'${table}'`).join(', ');

/** The measurements of one import. */
interface Step {
  /** Milliseconds of the import. */
  readonly importing: number;
  /** Milliseconds of a count of all rows after the import. */
  readonly counting: number;
  /** The largest number of ClickHouse data parts in one month of one table. */
  readonly parts: number;
}

export async function benchImports(directory: string): Promise<readonly Line[]> {
  const url = `chdb:${join(directory, 'imports')}`;
  const database = await openDatabase({ url, timeZone: 'UTC' });
  const operator = new LocalOperator(database);
  try {
    const steps: Step[] = [];
    while (steps.length < IMPORTS) {
      const path = join(directory, 'small.ndjson');
      await writeFile(path, rowsOf(steps.length));
      steps.push(await stepOf(operator, database.engine, path, steps.length));
    }
    return linesOf(steps);
  } finally {
    await operator.close();
  }
}

async function stepOf(
  operator: LocalOperator,
  engine: Reader,
  path: string,
  before: number,
): Promise<Step> {
  const started = performance.now();
  const files = [{ path, name: 'small.ndjson' }];
  await operator.importFiles({ files, round: false, rejects: false }, {});
  const imported = performance.now();
  const rows = await numberOf(engine, 'SELECT count() AS number FROM transactions FINAL');
  const counting = performance.now() - imported;
  if (rows !== (before + 1) * ROWS) throw new Error(`There are ${rows} rows.`);
  const parts = await numberOf(
    engine,
    `SELECT max(parts) AS number FROM (SELECT count() AS parts FROM system.parts
WHERE active AND database = currentDatabase() AND table IN (${TABLES}) GROUP BY table, partition)`,
  );
  return { importing: imported - started, counting, parts };
}

async function numberOf(engine: Reader, statement: string): Promise<number> {
  const [row] = await engine.rows(select(v.object({ number: INTEGER }), plainStatement(statement)));
  return Number(row?.number);
}

/** The sales of one import, spread evenly over a year. */
function rowsOf(at: number): string {
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const month = String(1 + (row % MONTHS)).padStart(2, '0');
    const date = `2025-${month}-${String(1 + (at % 28)).padStart(2, '0')} 12:00:00`;
    return {
      type: 'sales',
      transaction_id: at * ROWS + row + 1,
      program_id: 1 + (row % 5),
      publisher_id: 1 + (at % 50),
      support_id: 1,
      status: 2,
      amount: 100.5,
      remu_program: 10.25,
      remu_publisher: 8.5,
      created_at: date,
      updated_at: date,
    };
  });
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function linesOf(steps: readonly Step[]): readonly Line[] {
  const tenth = Math.ceil(steps.length / 10);
  const importing = (some: readonly Step[]) => median(some.map((step) => step.importing));
  const [first, last] = [importing(steps.slice(0, tenth)), importing(steps.slice(-tenth))];
  const most = (value: (step: Step) => number) => Math.max(...steps.map(value));
  return [
    {
      what: `${steps.length.toLocaleString('en')} imports of ${ROWS} rows over ${MONTHS} months, the last tenth of them (median)`,
      measured: `${last.toFixed(0)} ms`,
      against: `the first tenth: ${first.toFixed(0)} ms`,
      ratio: first / last,
    },
    {
      what: '— maximum number of parts of a month in a table',
      measured: String(most(({ parts }) => parts)),
    },
    {
      what: '— count of all rows under `FINAL` after each import (median)',
      measured: `${median(steps.map(({ counting }) => counting)).toFixed(0)} ms`,
      against: `maximum: ${most(({ counting }) => counting).toFixed(0)} ms`,
    },
  ];
}
