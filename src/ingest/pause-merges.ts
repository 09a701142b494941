/** Pauses merges of the embedded engine during a long import: they would take as much CPU time as the import. */

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { type Engine, EngineBusy, isExclusive } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { literal, plainStatement } from '../plan/sql.ts';
import { TRANSACTION_TABLES } from '../schema/transaction-tables.ts';

/** Milliseconds until the pause. It cancels running merges, so short imports should end before it. */
const FIRST_DELAY = 1_000;

/** With more parts in one month of a table, merges go on: reading so many parts costs more than merging. */
const MAX_PARTS = 60;

/** Milliseconds between two attempts to start merges while the queue of the engine is full. */
const RETRY_DELAY = 100;

/** A minute of attempts. */
const MAX_ATTEMPTS = 600;

const TABLES = TRANSACTION_TABLES.map(({ table }) => table);

/** Pauses merges until the result is disposed. Does nothing on ClickHouse servers. */
export function pausingMerges(engine: Engine): AsyncDisposable {
  const ended = new AbortController();
  const paused = isExclusive(engine) ? pauseUntil(ended.signal, engine) : undefined;
  return {
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await paused;
    },
  };
}

async function pauseUntil(signal: AbortSignal, engine: Engine): Promise<void> {
  try {
    await delay(FIRST_DELAY, undefined, { signal });
    if ((await mostParts(engine)) > MAX_PARTS || signal.aborted) return;
    try {
      await stopMerges(engine);
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      // A table whose merges stay off would collect parts, so a failure of one table does not affect the others.
      await Promise.allSettled(TABLES.map((table) => startMerges(engine, table)));
    }
  } catch {
    // The import ended before the pause. Or a statement failed: the import will probably fail for the same reason.
  }
}

/** The largest number of parts that a month of a table has. */
async function mostParts(engine: Engine): Promise<number> {
  const counts = plainStatement(`SELECT max(parts) AS most FROM (
  SELECT count() AS parts FROM system.parts
  WHERE database = currentDatabase() AND active AND table IN (${TABLES.map(literal).join(', ')})
  GROUP BY table, partition)`);
  const [found] = await engine.rows(select(v.object({ most: INTEGER }), counts));
  return found?.most ?? 0;
}

async function stopMerges(engine: Engine): Promise<void> {
  for (const table of TABLES)
    await engine.execute(plainStatement(`SYSTEM STOP MERGES ${table}`), { changes: 'nothing' });
}

async function startMerges(engine: Engine, table: string): Promise<void> {
  const start = plainStatement(`SYSTEM START MERGES ${table}`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await engine.execute(start, { changes: 'nothing' });
    } catch (error) {
      if (!(error instanceof EngineBusy) || attempt >= MAX_ATTEMPTS) throw error;
      await delay(RETRY_DELAY);
    }
  }
}
