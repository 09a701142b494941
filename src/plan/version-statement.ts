/** Statements that read the data parts of tables, which tell whether rows were written and for which dates. */

import * as v from 'valibot';
import { LAST_INSTANT } from '../contract/query/calendar.ts';
import { isPartitionedByMonth } from './directory/directory-names.ts';
import type { Selection } from './list-plan.ts';
import { INTEGER, type Select, select } from './select.ts';
import { bind, join, plainStatement, raw, type Sql, sql, statementOf } from './sql.ts';

const VERSION = v.object({ version: v.string() });

const PART = v.object({
  table: v.string(),
  partition: v.string(),
  name: v.string(),
  rows: INTEGER,
  first: INTEGER,
  last: INTEGER,
});

export type PartRow = v.InferOutput<typeof PART>;

/** Lists all parts of tables of the embedded engine, without opening them. */
export const partsStatement = (tables: readonly string[]): Select<PartRow> =>
  select(
    PART,
    statementOf(sql`SELECT table, partition_id AS partition, name, rows,
  toUnixTimestamp(min_time) AS first, toUnixTimestamp(max_time) AS last
FROM system.parts
WHERE active AND database = currentDatabase() AND table IN ${bind('Array(String)', tables)}`),
  );

/**
 * Reads a hash that changes with the rows of tables. It is made from the names of the tables' parts, without
 * opening the parts.
 *
 * A part's name has the numbers of the inserts whose rows it holds: new rows have a higher number, and merges
 * keep the numbers (`202601_1_7_2` holds inserts 1 to 7). If the period refers to the date of creation, only
 * the months of the period are read. If it refers to another date, its rows can be in any month.
 */
export function versionStatement(
  selection: Selection,
  tables: readonly string[],
): Select<v.InferOutput<typeof VERSION>> {
  const parts = tables.map(
    (table) => sql`SELECT ${bind('String', table)} AS place, _part AS part, count() AS rows
FROM ${raw(table)}${isPartitionedByMonth(table) ? months(selection) : raw('')} GROUP BY _part`,
  );
  return select(
    VERSION,
    statementOf(sql`SELECT toString(groupBitXor(cityHash64(place, month, newest, mutation))) AS version
FROM (SELECT place, splitByChar('_', part)[1] AS month,
    max(toUInt64OrZero(splitByChar('_', part)[3])) AS newest,
    max(toUInt64OrZero(splitByChar('_', part)[5])) AS mutation
  FROM (${join(parts, '\nUNION ALL ')}) GROUP BY place, month)`),
  );
}

/**
 * A hash that changes when values are removed from rows, because each removal writes to `keys` or `erasures`.
 * The row `maintenance` is left out: it is a lease, and renewing it removes nothing.
 */
export const removalsHashStatement = (): Select<v.InferOutput<typeof VERSION>> =>
  select(
    VERSION,
    plainStatement(`SELECT toString(groupBitXor(hash)) AS version
FROM (SELECT cityHash64(name, value, precedence) AS hash FROM keys FINAL WHERE name != 'maintenance'
  UNION ALL SELECT cityHash64(id, state, at) AS hash FROM erasures FINAL)`),
  );

function months({ dateField, from, until }: Selection): Sql {
  if (dateField !== 'created_at') return raw('');
  const month = (instant: number) =>
    sql`toString(toYYYYMM(toDateTime(${bind('UInt32', instant)}, 'UTC')))`;
  // Near the turn of a month, the platform's time zone can be in another month than UTC.
  const day = 86_400;
  const last = Math.min(until + day, LAST_INSTANT);
  return sql` WHERE _partition_id >= ${month(Math.max(from - day, 0))} AND _partition_id <= ${month(last)}`;
}
