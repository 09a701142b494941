/** Divides an import into ranges of identifiers, so that comparing it with stored rows takes little memory. */

import * as v from 'valibot';
import type { Engine } from '../../engine/engine.ts';
import { INTEGER, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';

/** Staged rows that are compared with stored ones in one statement; limits the memory. */
const ROWS_AT_A_TIME = 500_000;

const EXTENT = v.object({ rows: INTEGER, first: INTEGER, last: INTEGER });

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Ranges of identifiers in a table of staged transactions, with about the same number of rows each. */
export async function identifierRanges(
  engine: Engine,
  table: string,
  rowsAtATime = ROWS_AT_A_TIME,
): Promise<readonly Range[]> {
  const extent = plainStatement(
    `SELECT count() AS rows, min(transaction_id) AS first, max(transaction_id) AS last FROM ${table}`,
  );
  const [found] = await engine.rows(select(EXTENT, extent));
  if (found === undefined || found.rows === 0) return [];
  const pieces = Math.ceil(found.rows / rowsAtATime);
  if (pieces === 1) return [{ from: found.first, to: found.last }];
  const levels = Array.from({ length: pieces - 1 }, (_, at) => (at + 1) / pieces).join(', ');
  const quantiles = plainStatement(
    `SELECT arrayMap(x -> toUInt64(x), quantiles(${levels})(transaction_id)) AS at FROM ${table}`,
  );
  const [cut] = await engine.rows(select(v.object({ at: v.array(INTEGER) }), quantiles));
  const starts = [...new Set([found.first, ...(cut?.at ?? [])])].sort((a, b) => a - b);
  return starts.map((from, at) => ({ from, to: (starts[at + 1] ?? found.last + 1) - 1 }));
}

export const rangePredicate = (table: string, { from, to }: Range): string =>
  `${table}.transaction_id BETWEEN ${from} AND ${to}`;
