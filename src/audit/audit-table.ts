/** Reads lines of the audit log from the database. */

import * as v from 'valibot';
import type { Reader } from '../engine/engine.ts';
import { select } from '../plan/select.ts';
import { bind, join, raw, type Sql, sql, statementOf } from '../plan/sql.ts';

/** Which lines to read. Times are in milliseconds since 1970. */
export interface LineFilter {
  readonly since: number;
  /** Excluded. */
  readonly until?: number | undefined;
  readonly principal?: string | undefined;
  /** One event, or several. */
  readonly event?: string | readonly string[] | undefined;
}

const ROW = v.object({ at: v.string(), id: v.string(), line: v.string() });

type Row = v.InferOutput<typeof ROW>;

/** The number of lines in a page. Each page has its own query, so that a slow reader keeps no query running. */
const PAGE = 2000;

/** The lines in order of time. */
export async function* readLines(reader: Reader, filter: LineFilter): AsyncGenerator<string> {
  let after: Row | undefined;
  do {
    const rows = await reader.rows(select(ROW, statementOf(pageAfter(after, filter))));
    for (const { line } of rows) yield line;
    after = rows.length < PAGE ? undefined : rows.at(-1);
  } while (after !== undefined);
}

const pageAfter = (after: Row | undefined, filter: LineFilter): Sql =>
  sql`SELECT toString(toUnixTimestamp64Milli(at)) AS at, id, line FROM audit FINAL
WHERE ${join(conditionsOf(after, filter), ' AND ')}
ORDER BY audit.at, id LIMIT ${raw(String(PAGE))}`;

function conditionsOf(
  after: Row | undefined,
  { since, until, principal, event }: LineFilter,
): readonly Sql[] {
  const from = after === undefined ? since : Number(after.at);
  return [
    sql`audit.at >= ${instant(from)}`,
    ...(after === undefined
      ? []
      : [sql`(audit.at, id) > (${instant(from)}, ${bind('String', after.id)})`]),
    ...(until === undefined ? [] : [sql`audit.at < ${instant(until)}`]),
    ...(principal === undefined ? [] : [sql`principal = ${bind('String', principal)}`]),
    ...(event === undefined ? [] : [sql`event IN ${bind('Array(String)', [event].flat())}`]),
  ];
}

const instant = (milliseconds: number): Sql =>
  sql`fromUnixTimestamp64Milli(${bind('Int64', milliseconds)}, 'UTC')`;
