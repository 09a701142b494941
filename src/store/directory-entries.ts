/** Reads the entries of the directory. */

import * as v from 'valibot';
import type { DirectoryEntry, DirectoryName } from '../contract/record/directory.ts';
import type { Reader } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, raw, sql, statementOf } from '../plan/sql.ts';

export const DIRECTORY_ENTRY = v.object({
  id: INTEGER,
  name: v.string(),
  url: v.nullable(v.string()),
  status: v.nullable(v.string()),
  category: v.nullable(v.string()),
}) satisfies v.GenericSchema<unknown, DirectoryEntry>;

/** How many entries a query reads. Readers get them after its end, so a slow reader keeps no query running. */
const PAGE = 10_000;

/** All entries, in the order of their identifiers. */
export async function* allEntries(
  reader: Reader,
  of: DirectoryName,
): AsyncGenerator<DirectoryEntry> {
  let last: DirectoryEntry | undefined;
  do {
    const after = last === undefined ? raw('') : sql` AND id > ${bind('UInt64', last.id)}`;
    const rows = await reader.rows(
      select(
        DIRECTORY_ENTRY,
        statementOf(sql`SELECT id, name, url, status, category FROM directory FINAL
WHERE kind = ${bind('String', of)} AND NOT is_removed${after} ORDER BY id LIMIT ${raw(String(PAGE))}`),
      ),
    );
    yield* rows;
    last = rows.length < PAGE ? undefined : rows.at(-1);
  } while (last !== undefined);
}
