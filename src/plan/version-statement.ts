/** The question whether anything that an answer is read from has changed. */

import type { Selection } from './report-plan.ts';
import { bind, join, raw, type Sql, type Statement, sql, statementOf } from './sql.ts';

/**
 * Reads one number from what the engine knows of the parts of tables without opening them: a part
 * is never changed, so the same parts hold the same rows.
 *
 * By the date of creation only the months of the period matter; any other date may be in all.
 */
export function versionStatement(selection: Selection, tables: readonly string[]): Statement {
  const parts = tables.map(
    (table) => sql`SELECT ${bind('String', table)} AS place, _part AS part, count() AS rows
FROM ${raw(table)}${months(selection)} GROUP BY _part`,
  );
  return statementOf(sql`SELECT toString(groupBitXor(cityHash64(place, part, rows))) AS state
FROM (${join(parts, '\nUNION ALL ')})`);
}

function months({ dateField, from, until }: Selection): Sql {
  if (dateField !== 'created_at') return raw('');
  const month = (instant: number) =>
    sql`toString(toYYYYMM(toDateTime(${bind('UInt32', instant)}, 'UTC')))`;
  // The platform's clock may show another month than UTC for most of a day.
  const day = 86_400;
  const last = Math.min(until + day, 2 ** 32 - 1);
  return sql` WHERE _partition_id >= ${month(Math.max(from - day, 0))} AND _partition_id <= ${month(last)}`;
}
