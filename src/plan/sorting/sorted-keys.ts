/** The statements of a page of a sorted list: the keys of its records in order, then the records. */

import { RECORD_FIELDS } from '../../contract/record/records.ts';
import { framedPieces } from '../framed-pieces.ts';
import type { KeysetPosition } from '../keyset-position.ts';
import type { ListPlan } from '../list-plan.ts';
import { recordPieces, selectedRows } from '../list-statement.ts';
import { rowPredicate } from '../predicates.ts';
import { RECORD_KEY, TABLE_OF } from '../report-table.ts';
import { bind, type RowStatement, raw, type Sql, sql, statementOf } from '../sql.ts';
import { sortColumnOf } from './sort-column.ts';

/** The place of a record in the order and in its table. */
export interface SortedKey extends KeysetPosition {
  readonly createdAt: number;
  readonly publisherId: number;
}

/** Bytes before the value: the date of creation, the publisher, and whether there is a value. */
const VALUE_AT = 13;

/** Reads the keys in frames. Only the columns of the conditions, of the sort and of the keys are read. */
export function sortedKeysStatement(plan: ListPlan): RowStatement {
  // A plan for whole records may choose a projection, in which fewer rows have to be sorted.
  const whole: ListPlan = { ...plan, fields: RECORD_FIELDS[plan.role], form: 'json' };
  const pieces = [
    sql`reinterpretAsFixedString(toUInt32(created_at))`,
    sql`reinterpretAsFixedString(toUInt64(publisher_id))`,
    sql`${valueBytes(plan)}`,
  ];
  const statement = statementOf(sql`SELECT ${framedPieces(pieces, plan.dateField, 'transaction_id')}
${selectedRows(whole)}`);
  return Object.freeze({ ...statement, boundaries: 'framed' as const, isAggregation: true });
}

/** The byte 1 and then the value, or only the byte 0 for null. */
function valueBytes(plan: ListPlan): Sql {
  const column = sortColumnOf(plan);
  if (column === undefined) return raw("'\\0'");
  return sql`ifNull(concat('\\x01', ${column.bytes}), '\\0')`;
}

/** The key of a record. The header of its frame has the date and the identifier; `content` has the rest. */
export const sortedKeyOf = ({ at, transactionId }: KeysetPosition, content: Buffer): SortedKey => ({
  at,
  transactionId,
  createdAt: content.readUInt32LE(0),
  publisherId: Number(content.readBigUInt64LE(4)),
  value: content[VALUE_AT - 1] === 0 ? null : content.toString('latin1', VALUE_AT),
});

/**
 * Reads the records with the given keys, in frames and in no order.
 *
 * With `PREWHERE`, the engine reads the records only of rows with one of the keys. `PREWHERE` runs before
 * `FINAL`, which is safe because the key is equal in all versions of a row.
 */
export function keyedRecordsStatement(
  plan: ListPlan,
  keys: readonly SortedKey[],
  timeZone: string,
): RowStatement {
  const table = TABLE_OF[plan.role];
  const key = raw(RECORD_KEY[plan.role].join(', '));
  const statement =
    statementOf(sql`SELECT ${framedPieces(recordPieces(plan), plan.dateField, 'transaction_id')}
FROM ${raw(table)} FINAL
PREWHERE (${key}) GLOBAL IN (SELECT ${key} FROM (${keyRows(keys, timeZone)}))
WHERE ${rowPredicate(plan, [plan.kind], table)}`);
  return Object.freeze({ ...statement, boundaries: 'framed' as const, priority: 'small' as const });
}

/**
 * Selects the keys as rows. Their dates are in the time zone of the table, because otherwise the engine skips
 * partitions that have the keys (ClickHouse #112966).
 */
const keyRows = (keys: readonly SortedKey[], timeZone: string): Sql =>
  sql`SELECT toDateTime(key.1, ${bind('String', timeZone)}) AS created_at, key.2 AS transaction_id, key.3 AS publisher_id
FROM (SELECT arrayJoin(arrayZip(${numbers(keys, 'UInt32', 'createdAt')}, ${numbers(keys, 'UInt64', 'transactionId')}, ${numbers(keys, 'UInt64', 'publisherId')})) AS key)`;

const numbers = (
  keys: readonly SortedKey[],
  type: 'UInt32' | 'UInt64',
  of: 'createdAt' | 'transactionId' | 'publisherId',
) =>
  bind(
    `Array(${type})`,
    keys.map((key) => key[of]),
  );
