/** Imports small files into a database that a server has open. */

import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { RemoteOperator } from '../src/control/remote-operator.ts';
import { DAYS, type DataSet, dayOf } from './data-set.ts';

const ROWS = 1000;

/** Milliseconds from the start of an import to that of the next one. */
const INTERVAL = 5000;

/** New identifiers, which no row of the data set has. */
let nextId = 1_000_000_000;

/** Imports new sales again and again until the given work is done. */
export async function whileImporting<Result>(
  data: DataSet,
  work: () => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const imports = importUntil(data, ending.signal);
  imports.catch(() => undefined);
  try {
    return await work();
  } finally {
    ending.abort();
    await imports;
  }
}

async function importUntil(data: DataSet, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const next = sleep(INTERVAL, undefined, { signal }).catch(() => undefined);
    await importRows(data);
    await next;
  }
}

/** Imports new sales of many websites, all on the last day. */
export async function importRows(data: DataSet): Promise<void> {
  const path = `${data.csv}-${nextId}.ndjson`;
  await writeFile(path, Array.from({ length: ROWS }, () => `${sale(data, nextId++)}\n`).join(''));
  const operator = new RemoteOperator(data.url.slice('chdb:'.length));
  const files = [{ path, name: 'small.ndjson' }];
  const { imported } = await operator.importFiles({ files, round: false, rejects: false }, {});
  if (imported !== ROWS) throw new Error(`Imported ${imported} rows.`);
  await operator.close();
  await rm(path);
}

function sale({ websites, programs }: DataSet, id: number): string {
  const date = `${dayOf(DAYS - 1)} 12:00:00`;
  return JSON.stringify({
    type: 'sales',
    transaction_id: id,
    program_id: programs[id % programs.length],
    publisher_id: websites[id % websites.length],
    support_id: 1,
    status: 2,
    amount: 100.5,
    remu_program: 10.25,
    remu_publisher: 8.5,
    created_at: date,
    updated_at: date,
  });
}
