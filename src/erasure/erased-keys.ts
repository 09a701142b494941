/**
 * The transactions of an erasure, in a table on each server: `erasure_<id>_keys`.
 *
 * Each server's table lists the transactions of all servers, so that the server can erase its own parts by itself.
 */

import * as v from 'valibot';
import type { Engine } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, plainStatement, raw, sql, statementOf } from '../plan/sql.ts';
import { type ClusterNodes, executeEverywhere } from '../schema/cluster-nodes.ts';
import type { Match } from './find-matches.ts';

/** Transactions in one statement, because servers limit the length of a request. */
const KEYS_AT_A_TIME = 5000;

const PREFIX = 'erasure_';

export const erasedIdsTable = (id: string): string => `${PREFIX}${id}_keys`;

/** SQL condition: whether a transaction is to be erased. */
export const erasedPredicate = (id: string): string =>
  `transaction_id IN (SELECT transaction_id FROM ${erasedIdsTable(id)})`;

export async function storeErasedIds(
  nodes: ClusterNodes,
  id: string,
  matches: readonly Match[],
): Promise<void> {
  const table = erasedIdsTable(id);
  await executeEverywhere(
    nodes,
    `CREATE TABLE ${table} (transaction_id UInt64, month UInt32)
ENGINE = MergeTree ORDER BY transaction_id SETTINGS fsync_after_insert = 1`,
  );
  for (const { month, ids } of matches) {
    for (let at = 0; at < ids.length; at += KEYS_AT_A_TIME) {
      const some = bind('Array(UInt64)', ids.slice(at, at + KEYS_AT_A_TIME));
      const insert = sql`INSERT INTO ${raw(table)} SELECT arrayJoin(${some}), ${bind('UInt32', month)}`;
      for (const server of nodes.servers) await server.execute(statementOf(insert));
    }
  }
}

/** The months in which an erasure has transactions. */
export async function monthsOfErasure({ engine }: ClusterNodes, id: string) {
  const months = plainStatement(`SELECT DISTINCT month FROM ${erasedIdsTable(id)} ORDER BY month`);
  const rows = await engine.rows(select(v.object({ month: INTEGER }), months));
  return rows.map(({ month }) => month);
}

export const dropErasedIds = async (nodes: ClusterNodes, id: string): Promise<void> =>
  await executeEverywhere(nodes, `DROP TABLE IF EXISTS ${erasedIdsTable(id)} SYNC`);

/** The ids of erasures whose table of keys is still on a server and was created at least `idleSeconds` ago. */
export async function erasuresWithIds(
  server: Engine,
  idleSeconds: number,
): Promise<readonly string[]> {
  const tables =
    plainStatement(`SELECT extract(name, '^${PREFIX}([0-9a-f]+)_keys$') AS id FROM system.tables
WHERE database = currentDatabase() AND match(name, '^${PREFIX}[0-9a-f]+_keys$')
  AND toDateTime(metadata_modification_time) <= now() - ${idleSeconds}`);
  const rows = await server.rows(select(v.object({ id: v.string() }), tables));
  return rows.map(({ id }) => id);
}
