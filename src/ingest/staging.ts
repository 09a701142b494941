/** The tables in which an import is prepared: nothing in them is visible to anyone. */

import { command } from '../plan/sql.ts';
import type { Engine } from '../store/engine.ts';
import { createFeed } from '../store/schema.ts';

export interface Staging {
  readonly id: string;
  readonly transactions: string;
  readonly affiliate: string;
  readonly feed: string;
  /** The rows of the files as text, with their lines; there only where rows must be named. */
  readonly rows: string;
  /** Transactions that the import must not change in this way. */
  readonly conflicts: string;
}

/** Every table of an import begins with this, followed by its id. */
const PREFIX = 'import_';

export const stagingOf = (id: string): Staging => ({
  id,
  transactions: `${PREFIX}${id}_transactions`,
  affiliate: `${PREFIX}${id}_affiliate`,
  feed: `${PREFIX}${id}_feed`,
  rows: `${PREFIX}${id}_rows`,
  conflicts: `${PREFIX}${id}_conflicts`,
});

export async function createStaging(engine: Engine, staging: Staging): Promise<void> {
  const { transactions, affiliate, feed, rows, conflicts } = staging;
  const texts = [
    `CREATE TABLE ${transactions} AS transactions`,
    `CREATE TABLE ${affiliate} AS affiliate_transactions`,
    createFeed(feed, transactions, affiliate),
    `SYSTEM STOP MERGES ${transactions}`,
    `SYSTEM STOP MERGES ${affiliate}`,
    `CREATE TABLE ${rows} (file UInt32, line UInt64, fault_column String, fault_reason String, cells Array(String))
ENGINE = MergeTree ORDER BY (file, line)`,
    `CREATE TABLE ${conflicts} (transaction_id UInt64, reason LowCardinality(String))
ENGINE = MergeTree ORDER BY transaction_id`,
  ];
  for (const text of texts) await engine.execute(command(text));
}

/** Empties the staged transactions, for another try. */
export async function emptyStaging(engine: Engine, staging: Staging): Promise<void> {
  for (const table of [staging.transactions, staging.affiliate]) {
    await engine.execute(command(`TRUNCATE TABLE ${table}`));
  }
}

export async function dropStaging(engine: Engine, staging: Staging): Promise<void> {
  await engine.execute(command(`DROP VIEW IF EXISTS ${staging.feed} SYNC`));
  for (const table of ['transactions', 'affiliate', 'rows', 'conflicts'] as const) {
    await engine.execute(command(`DROP TABLE IF EXISTS ${staging[table]} SYNC`));
  }
}

/** The imports of which tables are left and that wrote nothing for so many seconds. */
export async function leftStagings(engine: Engine, quiet: number): Promise<readonly Staging[]> {
  const found = (await engine.rows(
    command(`SELECT id FROM (
  SELECT extract(name, '^${PREFIX}([0-9a-f]+)_') AS id, toDateTime(metadata_modification_time) AS at FROM system.tables
  WHERE database = currentDatabase() AND match(name, '^${PREFIX}[0-9a-f]+_')
  UNION ALL
  SELECT extract(table, '^${PREFIX}([0-9a-f]+)_') AS id, modification_time AS at FROM system.parts
  WHERE database = currentDatabase() AND match(table, '^${PREFIX}[0-9a-f]+_')
) GROUP BY id HAVING max(at) <= now() - ${quiet}`),
  )) as { id: string }[];
  return found.map(({ id }) => stagingOf(id));
}
