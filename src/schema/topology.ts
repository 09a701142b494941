/** Where the tables of a database are: on one server, or sharded over a cluster. */

import * as v from 'valibot';
import type { Reader } from '../engine/engine.ts';
import { BY_PROGRAM, BY_PUBLISHER, PARTNERSHIPS } from '../plan/report-table.ts';
import { select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';

export interface Cluster {
  /** The name of the cluster in the configuration of the servers. */
  readonly name: string;
  /** Whether Keeper replicates the tables. Otherwise the service writes to each replica. */
  readonly isReplicated: boolean;
}

export interface Topology {
  readonly cluster: Cluster | undefined;
}

export const ONE_SERVER: Topology = { cluster: undefined };

/** The sharding key of each table. All transactions of a publisher are on one shard. */
export const SHARDED_BY = {
  transactions: 'publisher_id',
  affiliate_transactions: 'publisher_id',
  [BY_PUBLISHER]: 'publisher_id',
  [BY_PROGRAM]: 'publisher_id',
  tokens: 'cityHash64(hash)',
  sign_in_links: 'cityHash64(hash)',
  sign_in_claims: 'cityHash64(link)',
  imports: 'cityHash64(id)',
  keys: 'cityHash64(name)',
  audit: 'cityHash64(id)',
  erasures: 'cityHash64(id)',
  erased: 'cityHash64(hash)',
  directory: 'cityHash64(id)',
  changes: 'publisher_id',
  publications: 'cityHash64(id)',
  [PARTNERSHIPS]: 'publisher_id',
  webhooks: 'cityHash64(id)',
  webhook_progress: 'cityHash64(id)',
} as const;

/** The table with the rows of one server. */
export const localTable = ({ cluster }: Topology, table: string): string =>
  cluster === undefined ? table : `${table}_local`;

/** The table engine that keeps the row with the highest version of each key. */
export function replacingEngine({ cluster }: Topology, table: string, version: string): string {
  if (!cluster?.isReplicated) return `ReplacingMergeTree(${version})`;
  const path = `/clickhouse/tables/{database}/{shard}/${table}`;
  return `ReplicatedReplacingMergeTree('${path}', '{replica}', ${version})`;
}

/** The statement that creates the Distributed table over all shards; none on one server. */
export function distributedTableSql(
  { cluster }: Topology,
  table: string,
  shardedBy: string,
): string[] {
  if (cluster === undefined) return [];
  const local = localTable({ cluster }, table);
  return [
    `CREATE OR REPLACE TABLE ${table} AS ${local} ENGINE = Distributed('${cluster.name}', currentDatabase(), '${local}', ${shardedBy})`,
  ];
}

const TABLE_ENGINE = v.object({ name: v.string(), engine_full: v.string() });

/** The topology of a database; undefined if it has no tables yet, or the creation on a cluster was interrupted. */
export async function storedTopology(reader: Reader): Promise<Topology | undefined> {
  const engines = plainStatement(`SELECT name, engine_full FROM system.tables
WHERE database = currentDatabase() AND name IN ('transactions', 'transactions_local')`);
  const rows = await reader.rows(select(TABLE_ENGINE, engines));
  const engineOf = (table: string) => rows.find(({ name }) => name === table)?.engine_full ?? '';
  const isTable = rows.some((row) => row.name === 'transactions');
  const name = /^Distributed\('(.+?)',/.exec(engineOf('transactions'))?.[1];
  if (name === undefined) return isTable ? ONE_SERVER : undefined;
  const isReplicated = engineOf('transactions_local').startsWith('Replicated');
  return { cluster: { name, isReplicated } };
}

const TABLE_NAME = v.object({ name: v.string() });

/** The tables of a server whose names match a regular expression. */
export async function tablesLike(server: Reader, pattern: string): Promise<readonly string[]> {
  const names = plainStatement(`SELECT name FROM system.tables
WHERE database = currentDatabase() AND match(name, '${pattern}')`);
  return (await server.rows(select(TABLE_NAME, names))).map(({ name }) => name);
}
