/** What the database tells of its imports: where they begin, and when the last one ended. */

import * as v from 'valibot';
import type { Reader } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { command } from '../plan/sql.ts';

const LAST_IMPORT = select(
  v.object({ ended: INTEGER }),
  command("SELECT toUnixTimestamp(max(at)) AS ended FROM imports FINAL WHERE state = 'done'"),
);

/** Seconds since 1970; undefined without imports. */
export async function lastImportEnd(
  reader: Reader,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const [last] = await reader.rows(LAST_IMPORT, signal);
  // Without rows, the maximum is the beginning of Unix time.
  return last?.ended || undefined;
}

const ORIGIN = select(
  v.object({ origin: INTEGER }),
  command('SELECT min(number) AS origin FROM publications'),
);

/** The number of the first publication, which no other database has; a restored backup has a new one. */
export async function databaseOrigin(reader: Reader): Promise<number | undefined> {
  const [first] = await reader.rows(ORIGIN);
  return first?.origin || undefined;
}
