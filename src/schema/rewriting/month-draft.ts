/** A table in which a month is written again before it replaces the stored one. */

import type { AddressVisibility } from '../../contract/record/address-visibility.ts';
import type { Engine } from '../../engine/engine.ts';
import { TABLE_OF } from '../../plan/report-table.ts';
import { plainStatement } from '../../plan/sql.ts';
import { localTable, ONE_SERVER, type Topology, tablesLike } from '../topology.ts';
import type { TransactionTable } from '../transaction-tables.ts';

/** Small blocks need less memory: each column that is written has buffers of its own. */
const SETTINGS = `SETTINGS do_not_merge_across_partitions_select_final = 1, max_insert_threads = 1,
  min_insert_block_size_rows = 49152, min_insert_block_size_bytes = 0, optimize_on_insert = 0`;

export interface MonthDraft {
  readonly draft: string;
  /** The table whose month is replaced. */
  readonly like: TransactionTable;
  readonly topology: Topology;
  readonly addresses: AddressVisibility;
}

export async function createDraft(
  server: Engine,
  { draft, like, topology }: MonthDraft,
): Promise<void> {
  const target = localTable(topology, like.table);
  await server.execute(plainStatement(`DROP TABLE IF EXISTS ${draft} SYNC`));
  await server.execute(
    plainStatement(`CREATE TABLE ${draft} AS ${target} ${like.storage(draft, ONE_SERVER)}`),
  );
}

/** Fills the draft with the newest version of each row of the month for which the condition holds. */
export async function fillDraft(
  server: Engine,
  { draft, like, topology, addresses }: MonthDraft,
  month: string,
  condition = 'true',
): Promise<void> {
  const from = localTable(topology, TABLE_OF.admin);
  const { columns, select } = like.fill(`${from} FINAL`, addresses);
  const text = `INSERT INTO ${draft} (${columns}) ${select}
WHERE _partition_id = '${month}' AND ${condition} ${SETTINGS}`;
  await server.execute(plainStatement(text));
}

/** Replaces the month atomically. */
export async function publishDraft(
  server: Engine,
  { draft, like, topology }: MonthDraft,
  month: string,
): Promise<void> {
  const target = localTable(topology, like.table);
  await server.execute(
    plainStatement(`ALTER TABLE ${target} REPLACE PARTITION ID '${month}' FROM ${draft}`),
  );
}

/** Drops the drafts whose names begin with a regular expression. */
export async function dropDraftsLike(server: Engine, beginning: string): Promise<void> {
  for (const name of await tablesLike(server, `^${beginning}`)) {
    await server.execute(plainStatement(`DROP TABLE IF EXISTS ${name} SYNC`));
  }
}
