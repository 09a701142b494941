/** Staging tables: an import is prepared in them, invisible to readers. */

import * as v from 'valibot';
import type { AddressVisibility } from '../../contract/record/address-visibility.ts';
import type { Engine } from '../../engine/engine.ts';
import { INTEGER, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import { type ClusterNodes, executeEverywhere } from '../../schema/cluster-nodes.ts';
import {
  distributedTableSql,
  localTable,
  SHARDED_BY,
  type Topology,
} from '../../schema/topology.ts';
import { TRANSACTION_TABLES, type TransactionTable } from '../../schema/transaction-tables.ts';
import { createUnmergedTable } from '../unmerged-table.ts';

export interface Staging {
  readonly id: string;
  /** The name of the table with the staged transactions of all servers. */
  readonly transactions: string;
  /** Rows of files as text with their line numbers; empty if the fast path succeeds. */
  readonly rows: string;
  /** Transactions in conflict with stored or other staged rows. */
  readonly conflicts: string;
}

/** Names of staging tables begin with this and the id of the import. */
const PREFIX = 'import_';

/** The name of a staging table. */
export const stagingName = (id: string, name: string): string => `${PREFIX}${id}_${name}`;

export const stagingOf = (id: string): Staging => ({
  id,
  transactions: stagingName(id, 'transactions'),
  rows: stagingName(id, 'rows'),
  conflicts: stagingName(id, 'conflicts'),
});

/** A staging table of one server, and the table to which its parts are attached. */
interface StagedTable {
  readonly table: string;
  readonly target: string;
  /** The definition of both tables. */
  readonly like: TransactionTable;
}

/** The staging tables of transactions, in the order of TRANSACTION_TABLES. */
export const stagedTables = (topology: Topology, { id }: Staging): readonly StagedTable[] =>
  TRANSACTION_TABLES.map((like) => ({
    table: localTable(topology, stagingName(id, like.table)),
    target: localTable(topology, like.table),
    like,
  }));

/** Staging tables that are not for transactions: partnerships, and the other tables of a restored backup. */
export async function otherStagedTables(
  { engine, topology }: ClusterNodes,
  { id }: Staging,
): Promise<readonly Pick<StagedTable, 'table' | 'target'>[]> {
  const found = await engine.rows(
    select(
      TABLE_NAME,
      plainStatement(`SELECT name FROM system.tables
WHERE database = currentDatabase() AND startsWith(name, '${PREFIX}${id}_')`),
    ),
  );
  const names = new Set(found.map(({ name }) => name));
  return (
    Object.keys(SHARDED_BY)
      .filter((target) => TRANSACTION_TABLES.every(({ table }) => table !== target))
      // Changes are attached after all others. Keys are not attached, but replaced.
      .filter((target) => target !== 'changes' && target !== 'keys')
      .map((target) => ({
        table: localTable(topology, stagingName(id, target)),
        target: localTable(topology, target),
      }))
      .filter(({ table }) => names.has(table))
  );
}

const TABLE_NAME = v.object({ name: v.string() });

/** The staging table for a table of transactions. */
export function stagedTable(topology: Topology, staging: Staging, name: string): StagedTable {
  const found = stagedTables(topology, staging).find(({ like }) => like.table === name);
  if (found === undefined) throw new Error(`There is no table of transactions called ${name}.`);
  return found;
}

export async function createStaging(
  nodes: ClusterNodes,
  staging: Staging,
  addresses: AddressVisibility,
): Promise<void> {
  const { topology, engine } = nodes;
  const { id } = staging;
  const tables = stagedTables(topology, staging);
  for (const staged of tables) {
    await createUnmergedTable(nodes, staged, staged.like.storage(staged.table, topology));
  }
  const from = localTable(topology, staging.transactions);
  for (const { table, like } of tables) {
    const view = stagingName(id, `${like.table}_feed`);
    if (like.createView)
      await executeEverywhere(nodes, like.createView(view, from, table, addresses));
  }
  const distributed = distributedTableSql(topology, staging.transactions, SHARDED_BY.transactions);
  for (const text of distributed) await engine.execute(plainStatement(text));
  await createRowTables(engine, staging);
}

/** Tables for the rows of files as text, and for their conflicts. */
export async function createRowTables(
  engine: Engine,
  { rows, conflicts }: Pick<Staging, 'rows' | 'conflicts'>,
): Promise<void> {
  const texts = [
    `CREATE TABLE ${rows} (file UInt32, line UInt64, fault_column String, fault_reason String, cells Array(String))
ENGINE = MergeTree ORDER BY (file, line)`,
    `CREATE TABLE ${conflicts} (transaction_id UInt64, reason LowCardinality(String))
ENGINE = MergeTree ORDER BY transaction_id`,
  ];
  for (const text of texts) await engine.execute(plainStatement(text));
}

/** Deletes the staged transactions before another attempt. */
export async function emptyStaging(nodes: ClusterNodes, staging: Staging): Promise<void> {
  for (const { table } of stagedTables(nodes.topology, staging)) {
    await executeEverywhere(nodes, `TRUNCATE TABLE ${table}`);
  }
}

/** Drops the staging tables on all servers, even if one of them fails. */
export async function dropStaging({ servers }: ClusterNodes, staging: Staging): Promise<void> {
  const dropped = await Promise.allSettled(servers.map((server) => dropFrom(server, staging)));
  for (const outcome of dropped) if (outcome.status === 'rejected') throw outcome.reason;
}

const STAGING_TABLE = v.object({ name: v.string(), is_view: v.number() });

/** Drops views before the tables that they read. */
async function dropFrom(server: Engine, { id }: Staging): Promise<void> {
  const tables =
    plainStatement(`SELECT name, engine = 'MaterializedView' AS is_view FROM system.tables
WHERE database = currentDatabase() AND startsWith(name, '${PREFIX}${id}_') ORDER BY is_view DESC, name`);
  const found = await server.rows(select(STAGING_TABLE, tables));
  for (const { name, is_view } of found) {
    await server.execute(
      plainStatement(`DROP ${is_view ? 'VIEW' : 'TABLE'} IF EXISTS ${name} SYNC`),
    );
  }
}

const LAST_CHANGE = v.object({ id: v.string(), at: INTEGER, now: INTEGER });

type LastChange = v.InferOutput<typeof LAST_CHANGE>;

/** Imports whose staging tables have not changed for `idleSeconds` on any server; with 0 all imports. */
export async function stagingsIdleFor(
  { servers }: ClusterNodes,
  idleSeconds: number,
): Promise<readonly Staging[]> {
  const found = await Promise.all(servers.map(lastChanges));
  return [...Map.groupBy(found.flat(), ({ id }) => id)]
    .filter(([, changes]) => idleSeconds === 0 || areIdle(changes, idleSeconds))
    .map(([id]) => stagingOf(id));
}

/**
 * Whether no server has changed an import's tables. An import may write to one shard only.
 *
 * Some database engines of ClickHouse report 1970 as the modification time of every table. An import with no other
 * time may be running, so it is not idle.
 */
function areIdle(changes: readonly LastChange[], idleSeconds: number): boolean {
  const known = changes.filter(({ at }) => at > 0);
  return known.length > 0 && known.every(({ at, now }) => at <= now - idleSeconds);
}

/** The last change of each import's tables on a server, by the clock of that server. */
async function lastChanges(server: Engine): Promise<readonly LastChange[]> {
  const changes =
    plainStatement(`SELECT id, toUnixTimestamp(max(changed)) AS at, toUnixTimestamp(now()) AS now FROM (
  SELECT extract(name, '^${PREFIX}([0-9a-f]+)_') AS id, toDateTime(metadata_modification_time) AS changed FROM system.tables
  WHERE database = currentDatabase() AND match(name, '^${PREFIX}[0-9a-f]+_')
  UNION ALL
  SELECT extract(table, '^${PREFIX}([0-9a-f]+)_') AS id, modification_time AS changed FROM system.parts
  WHERE database = currentDatabase() AND match(table, '^${PREFIX}[0-9a-f]+_')
) GROUP BY id`);
  return await server.rows(select(LAST_CHANGE, changes));
}
