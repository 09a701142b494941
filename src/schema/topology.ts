/** How a database keeps its tables: whole on one server, or spread over the shards of a cluster. */

import * as v from 'valibot';
import type { Reader } from '../engine/engine.ts';
import { BY_PROGRAM, BY_PUBLISHER } from '../plan/report-table.ts';
import { select } from '../plan/select.ts';
import { command } from '../plan/sql.ts';

export interface Cluster {
  /** The name that the servers' configuration gives it. */
  readonly name: string;
  /** Whether the tables replicate themselves (with Keeper), or whoever writes writes to each replica. */
  readonly isReplicated: boolean;
}

export interface Topology {
  readonly cluster: Cluster | undefined;
}

export const ONE_SERVER: Topology = { cluster: undefined };

/** What decides the shard of a row: a website's transactions lie together. */
export const SHARDED_BY = {
  transactions: 'publisher_id',
  affiliate_transactions: 'publisher_id',
  [BY_PUBLISHER]: 'publisher_id',
  [BY_PROGRAM]: 'publisher_id',
  tokens: 'cityHash64(hash)',
  imports: 'cityHash64(id)',
  keys: 'cityHash64(name)',
} as const;

/** The table that holds a server's own part of the rows. */
export const localTable = ({ cluster }: Topology, table: string): string =>
  cluster === undefined ? table : `${table}_local`;

/** The engine of a table that keeps the row with the highest version of each key. */
export function replacingEngine({ cluster }: Topology, table: string, version: string): string {
  if (!cluster?.isReplicated) return `ReplacingMergeTree(${version})`;
  const path = `/clickhouse/tables/{database}/{shard}/${table}`;
  return `ReplicatedReplacingMergeTree('${path}', '{replica}', ${version})`;
}

/** The table through which all shards are read and written; there is none on one server. */
export function spreadTable({ cluster }: Topology, table: string, shardedBy: string): string[] {
  if (cluster === undefined) return [];
  const local = localTable({ cluster }, table);
  return [
    `CREATE OR REPLACE TABLE ${table} AS ${local} ENGINE = Distributed('${cluster.name}', currentDatabase(), '${local}', ${shardedBy})`,
  ];
}

const TABLE_ENGINE = v.object({ name: v.string(), engine_full: v.string() });

/** The topology of a database; undefined where it has no tables yet. */
export async function storedTopology(reader: Reader): Promise<Topology | undefined> {
  const engines = command(`SELECT name, engine_full FROM system.tables
WHERE database = currentDatabase() AND name IN ('transactions', 'transactions_local')`);
  const rows = await reader.rows(select(TABLE_ENGINE, engines));
  const engineOf = (table: string) => rows.find(({ name }) => name === table)?.engine_full ?? '';
  const name = /^Distributed\('(.+?)',/.exec(engineOf('transactions'))?.[1];
  if (name === undefined) return rows.length === 0 ? undefined : ONE_SERVER;
  const isReplicated = engineOf('transactions_local').startsWith('Replicated');
  return { cluster: { name, isReplicated } };
}
