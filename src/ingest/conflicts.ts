/** Finds transactions that an import would move, or gives in two versions that cannot be told apart. */

import { command } from '../plan/sql.ts';
import type { Engine } from '../store/engine.ts';
import type { Staging } from './staging.ts';

/** How many staged rows are held against the stored ones at a time, which bounds the memory. */
const ROWS_AT_A_TIME = 1_000_000;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Notes all conflicts in the import's own table; returns how many transactions there are in it. */
export async function findConflicts(
  engine: Engine,
  staging: Staging,
  rowsAtATime: number = ROWS_AT_A_TIME,
): Promise<number> {
  for (const range of await ranges(engine, staging, rowsAtATime)) {
    for (const conflict of [movedInside, ambiguous, movedFromStored]) {
      await engine.execute(command(`INSERT INTO ${staging.conflicts} ${conflict(staging, range)}`));
    }
  }
  const [row] = (await engine.rows(
    command(`SELECT uniqExact(transaction_id) AS conflicts FROM ${staging.conflicts}`),
  )) as { conflicts: number }[];
  return row?.conflicts ?? 0;
}

/** Ranges of identifiers with about as many rows each. */
async function ranges(
  engine: Engine,
  { transactions }: Staging,
  rowsAtATime: number,
): Promise<readonly Range[]> {
  const [found] = (await engine.rows(
    command(
      `SELECT count() AS rows, min(transaction_id) AS first, max(transaction_id) AS last FROM ${transactions}`,
    ),
  )) as { rows: number; first: number; last: number }[];
  if (found === undefined || found.rows === 0) return [];
  const pieces = Math.ceil(found.rows / rowsAtATime);
  if (pieces === 1) return [{ from: found.first, to: found.last }];
  const levels = Array.from({ length: pieces - 1 }, (_, at) => (at + 1) / pieces).join(', ');
  const [cut] = (await engine.rows(
    command(
      `SELECT arrayMap(x -> toUInt64(x), quantiles(${levels})(transaction_id)) AS at FROM ${transactions}`,
    ),
  )) as { at: number[] }[];
  const starts = [...new Set([found.first, ...(cut?.at ?? [])])].sort((a, b) => a - b);
  return starts.map((from, at) => ({ from, to: (starts[at + 1] ?? found.last + 1) - 1 }));
}

const within = (table: string, { from, to }: Range): string =>
  `${table}.transaction_id BETWEEN ${from} AND ${to}`;

const movedInside = (
  { transactions }: Staging,
  range: Range,
): string => `SELECT transaction_id, 'moved'
FROM ${transactions} WHERE ${within(transactions, range)}
GROUP BY transaction_id HAVING count() > 1 AND uniqExact(type, created_at, publisher_id) > 1`;

const ambiguous = (
  { transactions }: Staging,
  range: Range,
): string => `SELECT DISTINCT transaction_id, 'ambiguous'
FROM ${transactions} WHERE ${within(transactions, range)}
GROUP BY transaction_id, updated_at HAVING count() > 1 AND uniqExact(record_head, record_tail) > 1`;

const movedFromStored = (
  { transactions }: Staging,
  range: Range,
): string => `SELECT DISTINCT transaction_id, 'moved'
FROM (SELECT transaction_id, type, created_at, publisher_id FROM transactions WHERE ${within('transactions', range)}) AS stored
INNER JOIN (SELECT transaction_id, type, created_at, publisher_id FROM ${transactions} WHERE ${within(transactions, range)}) AS staged
USING transaction_id
WHERE (stored.type, stored.created_at, stored.publisher_id) != (staged.type, staged.created_at, staged.publisher_id)`;
