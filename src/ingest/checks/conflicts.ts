/**
 * Finds transactions whose type, created_at or publisher would change, or that occur more than once in the import with
 * the same updated_at and different values.
 */

import * as v from 'valibot';
import { STORED_FIELDS } from '../../contract/record/fields.ts';
import type { Engine } from '../../engine/engine.ts';
import { INTEGER, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import type { Staging } from '../staging/staging.ts';
import { identifierRanges, type Range, rangePredicate } from './identifier-ranges.ts';

/**
 * Stores all conflicts in the staging table for them; returns the number of transactions concerned.
 *
 * An INSERT uses every core, a query only one. So no query checks first whether anything must be compared. Such
 * a query saved a quarter of the CPU time of a small import into an empty database, but cost a tenth more with a
 * million rows.
 */
export async function storeConflicts(
  engine: Engine,
  staging: Staging,
  rowsAtATime?: number,
): Promise<number> {
  for (const range of await identifierRanges(engine, staging.transactions, rowsAtATime)) {
    for (const conflict of [insideImport, movedFromStored]) {
      await engine.execute(
        plainStatement(`INSERT INTO ${staging.conflicts} ${conflict(staging, range)}`),
      );
    }
  }
  const count = plainStatement(
    `SELECT uniqExact(transaction_id) AS conflicts FROM ${staging.conflicts}`,
  );
  const [row] = await engine.rows(select(v.object({ conflicts: INTEGER }), count));
  return row?.conflicts ?? 0;
}

/**
 * SQL condition: whether the table has the identifier more than once.
 *
 * Usually this is true for few rows. The columns to compare are read only for them.
 */
const repeated = (table: string, range: Range): string =>
  `transaction_id GLOBAL IN (SELECT transaction_id FROM ${table} WHERE ${rangePredicate(table, range)} GROUP BY transaction_id HAVING count() > 1)`;

/** IP addresses are compared as they are stored, because records may show them masked, or not at all. */
const ADDRESSES = STORED_FIELDS.filter(({ type }) => type === 'address')
  .map(({ name }) => `ifNull(${name}, '')`)
  .join(', ');

const IS_MOVED = 'uniqExact(type, created_at, publisher_id) > 1';
/** Whether two versions of a transaction differ but have the same updated_at. */
const IS_AMBIGUOUS = `uniqExact(updated_at, record_head, record_tail, ${ADDRESSES}) > uniqExact(updated_at)`;

const insideImport = (
  { transactions }: Staging,
  range: Range,
): string => `SELECT transaction_id, arrayJoin(arrayConcat(if(${IS_MOVED}, ['moved'], []), if(${IS_AMBIGUOUS}, ['ambiguous'], [])))
FROM ${transactions} WHERE ${rangePredicate(transactions, range)} AND ${repeated(transactions, range)}
GROUP BY transaction_id`;

const movedFromStored = (
  { transactions }: Staging,
  range: Range,
): string => `SELECT DISTINCT transaction_id, 'moved'
FROM (SELECT transaction_id, type, created_at, publisher_id FROM transactions WHERE ${rangePredicate('transactions', range)}) AS stored
INNER JOIN (SELECT transaction_id, type, created_at, publisher_id FROM ${transactions} WHERE ${rangePredicate(transactions, range)}) AS staged
USING transaction_id
WHERE (stored.type, stored.created_at, stored.publisher_id) != (staged.type, staged.created_at, staged.publisher_id)`;
