/**
 * Removes erased versions from the files of the tables, after readers stopped seeing them.
 *
 * All parts of a concerned month are merged into one new part, which keeps only the newest version of
 * each row. The replaced parts are deleted at once, instead of minutes later.
 */

import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { type Engine, EngineFailure } from '../engine/engine.ts';
import { select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { dropDrafts } from '../schema/rewriting/remove-months.ts';
import { dropAddressDrafts } from '../schema/rewriting/rewrite-addresses.ts';
import { localTransactionTables } from '../schema/transaction-tables.ts';
import { UserError } from '../user-error.ts';
import { erasedPredicate } from './erased-keys.ts';

/**
 * Parts are deleted as soon as they are replaced. The new ones must be on the disk by then, or a
 * power cut could lose both.
 */
const SETTINGS = {
  old_parts_lifetime: 0,
  min_rows_to_fsync_after_merge: 1,
  fsync_part_directory: 1,
} as const;

/** Milliseconds between two attempts. Another merge or a query may use the parts. */
const INTERVAL = 200;
/** Milliseconds after which there are no more attempts. */
const PATIENCE = 15 * 60_000;

/** ClickHouse error code: the parts of the month are being merged already, or the disk has no space for the merge. */
const CANNOT_ASSIGN = 388;

/** No table has rows of this month. Dropping it removes no rows, but makes the engine delete replaced parts. */
const NO_MONTH = '190001';

/** A table of transactions on one server. */
interface ServerTable {
  readonly server: Engine;
  readonly table: string;
}

export const transactionTablesOf = ({ servers, topology }: ClusterNodes): readonly ServerTable[] =>
  servers.flatMap((server) => localTransactionTables(topology).map((table) => ({ server, table })));

/** Leaves one part for each month and table, with only the newest versions. */
export async function rewriteMonths(nodes: ClusterNodes, months: readonly number[]): Promise<void> {
  for (const place of transactionTablesOf(nodes)) {
    const { server, table } = place;
    const settings = Object.entries(SETTINGS).map(([name, value]) => `${name} = ${value}`);
    await server.execute(
      plainStatement(`ALTER TABLE ${table} MODIFY SETTING ${settings.join(', ')}`),
    );
    for (const month of await monthsIn(place, months, 'active')) await rewrite(place, month);
  }
}

/**
 * Drops months that a removal or a change of IP_ADDRESSES was writing again when its process died. None of them may
 * still be running.
 */
export async function dropLeftDrafts({ servers }: ClusterNodes): Promise<void> {
  for (const server of servers) {
    await dropDrafts(server);
    await dropAddressDrafts(server);
  }
}

/** Deletes the rows of an erasure. Each month has one part by now, so its erased rows all disappear at once. */
export async function deleteRows(nodes: ClusterNodes, id: string): Promise<void> {
  for (const place of transactionTablesOf(nodes)) await deleteWhere(place, erasedPredicate(id));
}

export async function deleteWhere({ server, table }: ServerTable, condition: string) {
  // Each replica runs the subqueries in the condition itself. That is safe, because all have the same rows.
  const settings = 'mutations_sync = 1, allow_nondeterministic_mutations = 1';
  const text = `ALTER TABLE ${table} DELETE WHERE ${condition} SETTINGS ${settings}`;
  await server.execute(plainStatement(text));
}

/** Deletes the files of replaced parts, and waits until they are gone. Queries that read the files delay this. */
export async function removeReplacedParts(
  nodes: ClusterNodes,
  months: readonly number[],
): Promise<void> {
  for (const place of transactionTablesOf(nodes)) {
    const { server, table } = place;
    await retry(async () => {
      await server.execute(plainStatement(`ALTER TABLE ${table} DROP PARTITION ID '${NO_MONTH}'`));
      return (await monthsIn(place, months, 'NOT active')).length === 0;
    }, `a query still reads replaced files of ${table}`);
    const names = Object.keys(SETTINGS).join(', ');
    await server.execute(plainStatement(`ALTER TABLE ${table} RESET SETTING ${names}`));
  }
}

async function rewrite({ server, table }: ServerTable, month: number): Promise<void> {
  const text = `OPTIMIZE TABLE ${table} PARTITION ID '${month}' FINAL SETTINGS optimize_throw_if_noop = 1, alter_sync = 1`;
  await retry(async () => {
    try {
      await server.execute(plainStatement(text));
      return true;
    } catch (error) {
      const isLate = error instanceof EngineFailure && error.number === CANNOT_ASSIGN;
      if (isLate && !error.isDiskFull) return false;
      throw error;
    }
  }, `files of the month ${month} in ${table} are still being merged`);
}

/** The given months that have active parts or, for `NOT active`, parts that were replaced. */
async function monthsIn(
  { server, table }: ServerTable,
  months: readonly number[],
  which: 'active' | 'NOT active',
): Promise<readonly number[]> {
  const parts = plainStatement(`SELECT DISTINCT partition_id AS month FROM system.parts
WHERE database = currentDatabase() AND table = '${table}' AND ${which}`);
  const rows = await server.rows(select(v.object({ month: v.string() }), parts));
  return months.filter((month) => rows.some((row) => row.month === String(month)));
}

/** `obstacle` says why the attempts failed. */
async function retry(attempt: () => Promise<boolean>, obstacle: string): Promise<void> {
  const giveUp = performance.now() + PATIENCE;
  while (!(await attempt())) {
    if (performance.now() > giveUp)
      throw new UserError(
        `The erasure is not complete: ${obstacle}.`,
        'Run the same erasure again when fewer downloads and imports run.',
      );
    await delay(INTERVAL);
  }
}
