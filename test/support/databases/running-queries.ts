/** The queries that the engine runs, except the query that lists them. */

import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { Reader } from '../../../src/engine/engine.ts';
import { select } from '../../../src/plan/select.ts';
import { plainStatement } from '../../../src/plan/sql.ts';

/** The running queries, except this one and the query that keeps a test server alive. */
const QUESTION = select(
  v.object({ query: v.string() }),
  plainStatement(`SELECT query FROM system.processes
WHERE query NOT LIKE '%FROM system.processes%' AND query NOT LIKE 'SELECT sleepEachRow(3)%'`),
);

export async function runningQueries(reader: Reader): Promise<readonly string[]> {
  return (await reader.rows(QUESTION)).map(({ query }) => query);
}

/** Milliseconds until a condition of the running queries holds; at most `limit`. */
export async function timeUntil(
  reader: Reader,
  holds: (queries: readonly string[]) => boolean,
  limit: number,
): Promise<number> {
  const started = performance.now();
  while (!holds(await runningQueries(reader)) && performance.now() - started < limit) {
    await sleep(10);
  }
  return performance.now() - started;
}
