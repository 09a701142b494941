/** Staging tables of an import of the directory. */

import * as v from 'valibot';
import type { Reader } from '../../engine/engine.ts';
import { DIRECTORY } from '../../plan/directory/directory-names.ts';
import { select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import type { ClusterNodes } from '../../schema/cluster-nodes.ts';
import { directoryStorage } from '../../schema/directory-tables.ts';
import {
  distributedTableSql,
  localTable,
  SHARDED_BY,
  type Topology,
} from '../../schema/topology.ts';
import { createUnmergedTable } from '../unmerged-table.ts';
import { createRowTables, type Staging, stagingName } from './staging.ts';

/** The name of the table with the staged entries of all servers. */
export const stagedEntries = ({ id }: Staging): string => stagingName(id, DIRECTORY);

/** The staged entries of one server, and the table to which they are attached. */
export const stagedDirectory = (topology: Topology, staging: Staging) => ({
  table: localTable(topology, stagedEntries(staging)),
  target: localTable(topology, DIRECTORY),
});

export async function createStagedDirectory(nodes: ClusterNodes, staging: Staging): Promise<void> {
  const { topology, engine } = nodes;
  const staged = stagedDirectory(topology, staging);
  await createUnmergedTable(nodes, staged, directoryStorage(staged.table, topology));
  const distributed = distributedTableSql(topology, stagedEntries(staging), SHARDED_BY.directory);
  for (const text of distributed) await engine.execute(plainStatement(text));
  await createRowTables(engine, staging);
}

/** Whether this import has staged the directory and no transactions. A restore stages both. */
export async function isOfDirectory(
  { engine, topology }: ClusterNodes,
  staging: Staging,
): Promise<boolean> {
  const found = await mainTablesOn(engine, topology, staging);
  return found.length === 1 && found[0] === stagedDirectory(topology, staging).table;
}

/** The staging tables of the directory and of the transactions that a server has. Each import stages one of them. */
export async function mainTablesOn(
  server: Reader,
  topology: Topology,
  staging: Staging,
): Promise<readonly string[]> {
  const names = [
    stagedDirectory(topology, staging).table,
    localTable(topology, staging.transactions),
  ];
  const text = `SELECT name FROM system.tables
WHERE database = currentDatabase() AND name IN (${names.map((name) => `'${name}'`).join(', ')})`;
  const found = await server.rows(select(v.object({ name: v.string() }), plainStatement(text)));
  return found.map(({ name }) => name);
}
