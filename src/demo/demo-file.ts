/** Writes the transactions of the demo as a CSV file with a header (RFC 4180), for an import. */

import { open } from 'node:fs/promises';
import { STORED_FIELDS } from '../contract/record/fields.ts';
import { demoPlatform } from './platform/demo-platform.ts';
import type { DemoPeriod } from './random/hourly-volumes.ts';
import { demoTransactions } from './transactions/demo-transactions.ts';
import type { DemoTransaction } from './transactions/tracking-event.ts';

const COLUMNS: readonly string[] = ['type', ...STORED_FIELDS.map(({ name }) => name)];

const ROWS_AT_ONCE = 500;

const NEEDS_QUOTES = /[",\r\n]/;

/** Replaces the file at `path`; after an error of the file system, an incomplete file remains. */
export async function writeDemoFile(path: string, period: DemoPeriod): Promise<void> {
  await using file = await open(path, 'w');
  await file.writeFile(`${COLUMNS.join(',')}\n`);
  for (const batch of batchesOf(demoTransactions(demoPlatform(), period))) {
    await file.writeFile(batch.map(lineOf).join(''));
  }
}

function* batchesOf(
  transactions: Iterable<DemoTransaction>,
): Generator<readonly DemoTransaction[]> {
  let batch: DemoTransaction[] = [];
  for (const transaction of transactions) {
    if (batch.push(transaction) < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function lineOf(transaction: DemoTransaction): string {
  const values: Readonly<Record<string, string | number | null>> = transaction;
  return `${COLUMNS.map((name) => cellOf(values[name] ?? null)).join(',')}\n`;
}

/** Null is an empty cell. */
function cellOf(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
