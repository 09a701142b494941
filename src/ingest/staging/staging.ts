/** The tables in which an import is prepared: nothing in them is visible to anyone. */

import * as v from 'valibot';
import type { Engine } from '../../engine/engine.ts';
import { select } from '../../plan/select.ts';
import { command } from '../../plan/sql.ts';
import { type ClusterNodes, everywhere } from '../../schema/cluster-nodes.ts';
import { localTable, SHARDED_BY, spreadTable, type Topology } from '../../schema/topology.ts';
import { TRANSACTION_TABLES, type TransactionTable } from '../../schema/transaction-tables.ts';

export interface Staging {
  readonly id: string;
  /** The staged transactions, of all servers. */
  readonly transactions: string;
  /** The rows of the files as text, with their lines; there only where rows must be named. */
  readonly rows: string;
  /** Transactions that the import must not change in this way. */
  readonly conflicts: string;
}

/** Every table of an import begins with this, followed by its id. */
const PREFIX = 'import_';

const tableOf = (id: string, name: string): string => `${PREFIX}${id}_${name}`;

export const stagingOf = (id: string): Staging => ({
  id,
  transactions: tableOf(id, 'transactions'),
  rows: tableOf(id, 'rows'),
  conflicts: tableOf(id, 'conflicts'),
});

/** A server's own table of an import, and the one that gets its rows. */
interface StagedTable {
  readonly table: string;
  readonly target: string;
  /** What both of them are made like. */
  readonly like: TransactionTable;
}

/** The tables with the staged transactions, in the order of TRANSACTION_TABLES. */
export const stagedTables = (topology: Topology, { id }: Staging): readonly StagedTable[] =>
  TRANSACTION_TABLES.map((like) => ({
    table: localTable(topology, tableOf(id, like.table)),
    target: localTable(topology, like.table),
    like,
  }));

/** The one that gets the rows of a table of transactions. */
export function stagedTable(topology: Topology, staging: Staging, name: string): StagedTable {
  const found = stagedTables(topology, staging).find(({ like }) => like.table === name);
  if (found === undefined) throw new Error(`There is no table of transactions called ${name}.`);
  return found;
}

export async function createStaging(nodes: ClusterNodes, staging: Staging): Promise<void> {
  const { topology, engine } = nodes;
  const { id, rows, conflicts } = staging;
  const tables = stagedTables(topology, staging);
  for (const { table, target, like } of tables) {
    const storage = like.storage(table, topology);
    await everywhere(nodes, `CREATE TABLE ${table} AS ${target} ${storage}`);
    await everywhere(nodes, `SYSTEM STOP MERGES ${table}`);
  }
  const from = localTable(topology, staging.transactions);
  for (const { table, like } of tables) {
    const view = tableOf(id, `${like.table}_feed`);
    if (like.feed) await everywhere(nodes, like.feed(view, from, table));
  }
  const texts = [
    ...spreadTable(topology, staging.transactions, SHARDED_BY.transactions),
    `CREATE TABLE ${rows} (file UInt32, line UInt64, fault_column String, fault_reason String, cells Array(String))
ENGINE = MergeTree ORDER BY (file, line)`,
    `CREATE TABLE ${conflicts} (transaction_id UInt64, reason LowCardinality(String))
ENGINE = MergeTree ORDER BY transaction_id`,
  ];
  for (const text of texts) await engine.execute(command(text));
}

/** Empties the staged transactions, for another try. */
export async function emptyStaging(nodes: ClusterNodes, staging: Staging): Promise<void> {
  for (const { table } of stagedTables(nodes.topology, staging)) {
    await everywhere(nodes, `TRUNCATE TABLE ${table}`);
  }
}

/** Removes what there is of it, also from the other servers where one of them fails. */
export async function dropStaging({ servers }: ClusterNodes, staging: Staging): Promise<void> {
  const dropped = await Promise.allSettled(servers.map((server) => dropFrom(server, staging)));
  for (const outcome of dropped) if (outcome.status === 'rejected') throw outcome.reason;
}

const STAGING_TABLE = v.object({ name: v.string(), is_view: v.number() });

/** Views go first: what they read must not go under them. */
async function dropFrom(server: Engine, { id }: Staging): Promise<void> {
  const tables = command(`SELECT name, engine = 'MaterializedView' AS is_view FROM system.tables
WHERE database = currentDatabase() AND startsWith(name, '${PREFIX}${id}_') ORDER BY is_view DESC, name`);
  const found = await server.rows(select(STAGING_TABLE, tables));
  for (const { name, is_view } of found) {
    await server.execute(command(`DROP ${is_view ? 'VIEW' : 'TABLE'} IF EXISTS ${name} SYNC`));
  }
}

/**
 * The imports of which tables are left and that wrote nothing for so many seconds, on any server.
 *
 * A database of a kind that does not know when a table was made says 1970, which is no long silence.
 */
export async function leftStagings(
  nodes: ClusterNodes,
  quiet: number,
): Promise<readonly Staging[]> {
  const found = await Promise.all(nodes.servers.map((server) => quietIds(server, quiet)));
  return [...new Set(found.flat())].map(stagingOf);
}

async function quietIds(server: Engine, quiet: number): Promise<readonly string[]> {
  const ids = command(`SELECT id FROM (
  SELECT extract(name, '^${PREFIX}([0-9a-f]+)_') AS id, toDateTime(metadata_modification_time) AS at FROM system.tables
  WHERE database = currentDatabase() AND match(name, '^${PREFIX}[0-9a-f]+_')
  UNION ALL
  SELECT extract(table, '^${PREFIX}([0-9a-f]+)_') AS id, modification_time AS at FROM system.parts
  WHERE database = currentDatabase() AND match(table, '^${PREFIX}[0-9a-f]+_')
) GROUP BY id HAVING max(at) <= now() - ${quiet} AND (${quiet} = 0 OR toUnixTimestamp(max(at)) > 0)`);
  const found = await server.rows(select(v.object({ id: v.string() }), ids));
  return found.map(({ id }) => id);
}
