/**
 * Renders stored records again after a change of the setting for IP addresses, on one server.
 *
 * Each month of a table is replaced at one moment, so that readers see all its rows before and
 * after. The numbers of its inserts grow, so that entity tags change. It can be repeated after a crash.
 */

import * as v from 'valibot';
import type { AddressVisibility } from '../contract/record/address-visibility.ts';
import type { Role } from '../contract/record/records.ts';
import type { Engine } from '../engine/engine.ts';
import { TABLE_OF } from '../plan/report-table.ts';
import { select } from '../plan/select.ts';
import { command } from '../plan/sql.ts';
import { createFeed, FEED } from './affiliate-feed.ts';
import { columnDefinition, columnsOf } from './table-definitions.ts';
import { distributedTable, localTable, ONE_SERVER, SHARDED_BY, type Topology } from './topology.ts';
import { TRANSACTION_TABLES, type TransactionTable } from './transaction-tables.ts';

/** The table in which a month is rendered before it replaces the stored one. */
const DRAFT = 'addresses_draft';

/** Small blocks, because each column that is written has buffers of its own. */
const INSERT_SETTINGS = `SETTINGS do_not_merge_across_partitions_select_final = 1, max_insert_threads = 1,
  min_insert_block_size_rows = 49152, min_insert_block_size_bytes = 0, optimize_on_insert = 0`;

export interface AddressChange {
  readonly timeZone: string;
  readonly topology: Topology;
  readonly addresses: AddressVisibility;
}

/** Renders the records of a role again. */
export async function rewriteAddresses(
  server: Engine,
  role: Role,
  change: AddressChange,
): Promise<void> {
  for (const text of definitions(role, change)) await server.execute(command(text));
  for (const like of tablesOf(role)) await rewriteMonths(server, like, change);
}

/** The tables with records of a role. The first is rendered, and the others copy it. */
const tablesOf = (role: Role): readonly TransactionTable[] =>
  TRANSACTION_TABLES.filter(
    ({ table }) => (table === TABLE_OF.affiliate) === (role === 'affiliate'),
  );

function definitions(
  role: Role,
  { timeZone, topology, addresses }: AddressChange,
): readonly string[] {
  const from = localTable(topology, TABLE_OF.admin);
  if (role === 'affiliate') {
    const to = localTable(topology, TABLE_OF.affiliate);
    return [`DROP VIEW IF EXISTS ${FEED} SYNC`, createFeed(FEED, from, to, addresses)];
  }
  const computed = columnsOf('admin', timeZone, addresses).filter(
    ({ alias, materialized }) => alias !== undefined || materialized !== undefined,
  );
  return [
    ...computed.map((column) => `ALTER TABLE ${from} MODIFY COLUMN ${columnDefinition(column)}`),
    // Its definition is a copy.
    ...distributedTable(topology, TABLE_OF.admin, SHARDED_BY.transactions),
  ];
}

async function rewriteMonths(
  server: Engine,
  { table, storage, fill }: TransactionTable,
  { topology, addresses }: AddressChange,
): Promise<void> {
  const [target, from] = [localTable(topology, table), localTable(topology, TABLE_OF.admin)];
  const filled = fill(`${from} FINAL`, addresses);
  const run = async (text: string) => await server.execute(command(text));
  await run(`DROP TABLE IF EXISTS ${DRAFT} SYNC`);
  await run(`CREATE TABLE ${DRAFT} AS ${target} ${storage(DRAFT, ONE_SERVER)}`);
  for (const month of await monthsOf(server, target)) {
    await run(`INSERT INTO ${DRAFT} (${filled.columns}) ${filled.select}
WHERE _partition_id = '${month}' ${INSERT_SETTINGS}`);
    await run(`ALTER TABLE ${target} REPLACE PARTITION ID '${month}' FROM ${DRAFT}`);
    await run(`TRUNCATE TABLE ${DRAFT}`);
  }
  await run(`DROP TABLE ${DRAFT} SYNC`);
}

async function monthsOf(server: Engine, table: string): Promise<readonly string[]> {
  const months = command(`SELECT DISTINCT partition_id AS month FROM system.parts
WHERE active AND database = currentDatabase() AND table = '${table}' ORDER BY month`);
  const rows = await server.rows(select(v.object({ month: v.string() }), months));
  return rows.map(({ month }) => month);
}
