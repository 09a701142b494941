/** The statement that reads a month of a table as rows for the month cache. */

import type { Role } from '../contract/record/records.ts';
import { TABLE_OF } from '../plan/report-table.ts';
import { bind, raw, type Statement, sql, statementOf } from '../plan/sql.ts';

/**
 * The table of each role, and the column that it is sorted by before the date. `months` sets the ratio in which
 * months of the tables are cached: affiliates send more requests, and their months take less memory.
 */
export const MONTH_TABLES = {
  affiliate: { table: TABLE_OF.affiliate, owner: 'publisher_id', months: 2 },
  admin: { table: TABLE_OF.admin, owner: undefined, months: 1 },
} as const satisfies { readonly [role in Role]: object };

export type MonthTable = (typeof MONTH_TABLES)[Role];

/**
 * Reads the rows of a month, or of some of its parts, in the order of the table.
 *
 * A frame of 34 bytes precedes the text of each row. It holds little-endian numbers: the length of
 * the text and of its head before the status label, the dates of creation and of the last change
 * (32 bits each), the identifier and the owner (64 bits each), the kind and the status (8 bits each).
 */
export function monthStatement(
  { table, owner }: MonthTable,
  partition: string,
  parts?: readonly string[],
): Statement {
  const frame = [
    asBytes('UInt32', 'length(record_head) + length(record_tail)'),
    asBytes('UInt32', 'length(record_head)'),
    asBytes('UInt32', 'created_at'),
    asBytes('UInt32', 'updated_at'),
    asBytes('UInt64', 'transaction_id'),
    asBytes('UInt64', owner ?? '0'),
    asBytes('UInt8', 'toInt8(type)'),
    asBytes('UInt8', 'status'),
  ].join(', ');
  const among = parts === undefined ? raw('') : sql` AND _part IN ${bind('Array(String)', parts)}`;
  const order = ['type', ...(owner === undefined ? [] : [owner]), 'created_at', 'transaction_id'];
  return statementOf(sql`SELECT ${raw(frame)}, record_head, record_tail
FROM ${raw(table)} FINAL
WHERE _partition_id = ${bind('String', partition)}${among}
ORDER BY ${raw(order.join(', '))}`);
}

const asBytes = (type: string, value: string): string =>
  `reinterpretAsFixedString(to${type}(${value}))`;
