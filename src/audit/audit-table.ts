/** Stores lines of the audit log in the database, and reads them. */

import * as v from 'valibot';
import type { Engine, Reader } from '../engine/engine.ts';
import { inlineValues } from '../engine/inline-values.ts';
import { select } from '../plan/select.ts';
import {
  bind,
  command,
  join,
  raw,
  type Sql,
  type Statement,
  sql,
  statementOf,
} from '../plan/sql.ts';

/** Lets a cluster take rows while one of its servers is down, and deliver them to it later. */
const IN_BACKGROUND = raw(' SETTINGS distributed_foreground_insert = 0');

/** Stores lines; a line that is stored twice counts once. */
export async function insertLines(
  engine: Engine,
  lines: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const insert = async (settings: Sql) =>
    await engine.execute(insertStatement(lines, settings), { signal, keepsState: true });
  try {
    await insert(raw(''));
  } catch (error) {
    if (engine.each().length === 1) throw error;
    await insert(IN_BACKGROUND);
  }
}

/** Values are part of the text: to bind them, the embedded engine would block the event loop. */
const insertStatement = (lines: readonly string[], settings: Sql): Statement =>
  command(
    inlineValues(
      statementOf(sql`INSERT INTO audit${settings}
SELECT parseDateTime64BestEffort(JSONExtractString(text, 'at'), 3, 'UTC'), JSONExtractString(text, 'id'),
  JSONExtractString(text, 'event'), JSONExtractString(text, 'principal'), text
FROM (SELECT arrayJoin(splitByChar('\\n', ${bind('String', lines.join('\n'))})) AS text)`),
    ),
  );

/** Which lines to read. Times are in milliseconds since 1970. */
export interface LineFilter {
  readonly since: number;
  /** Excluded. */
  readonly until?: number | undefined;
  readonly principal?: string | undefined;
  readonly event?: string | undefined;
}

const ROW = v.object({ at: v.string(), id: v.string(), line: v.string() });

type Row = v.InferOutput<typeof ROW>;

/** Lines that are read at a time, so that a slow reader holds no query. */
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
    ...(event === undefined ? [] : [sql`event = ${bind('String', event)}`]),
  ];
}

const instant = (milliseconds: number): Sql =>
  sql`fromUnixTimestamp64Milli(${bind('Int64', milliseconds)}, 'UTC')`;
