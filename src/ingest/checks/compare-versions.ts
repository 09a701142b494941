/**
 * Compares the versions of an import with each other and with stored ones.
 *
 * A transaction is in conflict if its type, created_at or publisher would change, or if it occurs more than once in the
 * import with the same updated_at and different values.
 */

import * as v from 'valibot';
import { STORED_FIELDS } from '../../contract/record/fields.ts';
import type { Engine } from '../../engine/engine.ts';
import { ANY_ROW, INTEGER, select } from '../../plan/select.ts';
import { command } from '../../plan/sql.ts';
import { createRowTables, type Staging } from '../staging/staging.ts';
import { identifierRanges, type Range, rangePredicate } from './identifier-ranges.ts';

export interface Comparison {
  /** Whether the staging table for conflicts has any. */
  readonly hasConflicts: boolean;
  /** Whether each staged row is the only version of its transaction, in the import and in the database. */
  readonly areNew: boolean;
}

/** Stores all conflicts in the staging table for them. */
export async function compareVersions(
  engine: Engine,
  staging: Staging,
  rowsAtATime?: number,
): Promise<Comparison> {
  let areRepeated = false;
  let areStored = false;
  let areMoved = false;
  for (const range of await identifierRanges(engine, staging.transactions, rowsAtATime)) {
    if ((await engine.rows(anyRepeated(staging, range))).length > 0) {
      areRepeated = true;
      await storeConflicts(engine, staging, insideImport(staging, range));
    }
    const [{ stored, moved } = NONE] = await engine.rows(storedVersions(staging, range));
    areStored ||= stored > 0;
    if (moved > 0) {
      areMoved = true;
      await storeConflicts(engine, staging, movedFromStored(staging, range));
    }
  }
  const hasConflicts =
    (areRepeated || areMoved) && (await engine.rows(anyConflict(staging))).length > 0;
  return { hasConflicts, areNew: !areRepeated && !areStored };
}

/** The staging table is created for the first conflicts, as most imports have none. */
async function storeConflicts(engine: Engine, staging: Staging, conflicts: string): Promise<void> {
  await createRowTables(engine, staging);
  await engine.execute(command(`INSERT INTO ${staging.conflicts} ${conflicts}`));
}

const anyConflict = ({ conflicts }: Staging) =>
  select(ANY_ROW, command(`SELECT 1 FROM ${conflicts} LIMIT 1`));

/** The identifiers that a table has more than once. */
const repeated = (table: string, range: Range): string =>
  `SELECT transaction_id FROM ${table} WHERE ${rangePredicate(table, range)} GROUP BY transaction_id HAVING count() > 1`;

const anyRepeated = ({ transactions }: Staging, range: Range) =>
  select(ANY_ROW, command(`${repeated(transactions, range)} LIMIT 1`));

/** IP addresses are compared as they are stored, because records may show them masked, or not at all. */
const ADDRESSES = STORED_FIELDS.filter(({ type }) => type === 'address')
  .map(({ name }) => `ifNull(${name}, '')`)
  .join(', ');

const IS_MOVED = 'uniqExact(type, created_at, publisher_id) > 1';
/** Versions with the same updated_at differ. */
const IS_AMBIGUOUS = `uniqExact(updated_at, record_head, record_tail, ${ADDRESSES}) > uniqExact(updated_at)`;

/** Few transactions are repeated, so the columns to compare are read and counted for few rows only. */
const insideImport = (
  { transactions }: Staging,
  range: Range,
): string => `SELECT transaction_id, arrayJoin(arrayConcat(if(${IS_MOVED}, ['moved'], []), if(${IS_AMBIGUOUS}, ['ambiguous'], [])))
FROM ${transactions} WHERE ${rangePredicate(transactions, range)} AND transaction_id GLOBAL IN (${repeated(transactions, range)})
GROUP BY transaction_id`;

/** Pairs of a stored and a staged version of the same transaction. */
const pairs = (
  { transactions }: Staging,
  range: Range,
): string => `FROM (SELECT transaction_id, type, created_at, publisher_id FROM transactions WHERE ${rangePredicate('transactions', range)}) AS stored
INNER JOIN (SELECT transaction_id, type, created_at, publisher_id FROM ${transactions} WHERE ${rangePredicate(transactions, range)}) AS staged
USING transaction_id`;

const IS_ELSEWHERE =
  '(stored.type, stored.created_at, stored.publisher_id) != (staged.type, staged.created_at, staged.publisher_id)';

const movedFromStored = (staging: Staging, range: Range): string =>
  `SELECT DISTINCT transaction_id, 'moved' ${pairs(staging, range)} WHERE ${IS_ELSEWHERE}`;

const NONE = { stored: 0, moved: 0 };

const storedVersions = (staging: Staging, range: Range) =>
  select(
    v.object({ stored: INTEGER, moved: INTEGER }),
    command(`SELECT count() AS stored, countIf(${IS_ELSEWHERE}) AS moved ${pairs(staging, range)}`),
  );
