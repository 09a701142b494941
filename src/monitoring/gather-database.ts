/** Sets the metrics that are queried from the database. */

import * as v from 'valibot';
import type { Engine } from '../engine/engine.ts';
import type { PlainGauge } from '../metrics/metric-table.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { INTEGER, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { lastImportEnd } from '../store/last-import.ts';
import { countTokens } from '../store/token-table.ts';

/** Milliseconds until the query times out, so that a scrape never hangs. */
const TIMEOUT = 2000;

/** ClickHouse stores the minimum and maximum date of each data part, so this query reads no rows. */
const NEWEST_ROW = select(
  v.object({ newest: INTEGER }),
  plainStatement('SELECT toUnixTimestamp(max(created_at)) AS newest FROM transactions'),
);

const MEMORY = select(
  v.object({ bytes: INTEGER }),
  plainStatement(
    "SELECT greatest(value, 0) AS bytes FROM system.metrics WHERE metric = 'MemoryTracking'",
  ),
);

export async function gatherDatabase(metrics: Metrics, engine: Engine): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const inTime = async <Answer>(answer: Promise<Answer>) => await answerOf(answer, signal);
  const [newest, memory, tokens, lastImport] = await Promise.all([
    inTime(engine.rows(NEWEST_ROW, signal)),
    inTime(engine.rows(MEMORY, signal)),
    inTime(countTokens(engine, signal)),
    inTime(lastImportEnd(engine, signal)),
  ]);
  const set = (name: PlainGauge, value?: number) =>
    value === undefined ? metrics.forget(name) : metrics.set(name, {}, value);
  set('transactions_database_up', tokens === undefined ? 0 : 1);
  // Without rows, the maximum is 0.
  set('transactions_newest_row_timestamp_seconds', newest?.[0]?.newest || undefined);
  set('transactions_last_import_timestamp_seconds', lastImport);
  set('transactions_engine_memory_bytes', memory?.[0]?.bytes);
  set('transactions_tokens_valid', tokens?.valid);
  set('transactions_tokens_ending', tokens?.ending);
}

/** Undefined if the database fails or does not answer in time. */
async function answerOf<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  signal.addEventListener('abort', () => resolve(undefined), { once: true });
  return await Promise.race([answer.catch(() => undefined), late]);
}
