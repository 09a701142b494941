/** The table of the directory: the newest entry of each program, publisher and support. */

import { DIRECTORIES } from '../contract/record/directory.ts';
import { DIRECTORY } from '../plan/directory/directory-names.ts';
import { localTable, replacingEngine, type Topology } from './topology.ts';

const KIND_TYPE = `Enum8(${DIRECTORIES.map((name, at) => `'${name}' = ${at + 1}`).join(', ')})`;

/** The storage clauses of the table, or of one with the same columns and another name. */
export const directoryStorage = (name: string, topology: Topology): string =>
  `ENGINE = ${replacingEngine(topology, name, 'at')} ORDER BY (kind, id)
SETTINGS fsync_after_insert = 1`;

/** A removed entry is replaced by one that says so. */
export function directoryTableSql(topology: Topology): string {
  const table = localTable(topology, DIRECTORY);
  return `CREATE TABLE IF NOT EXISTS ${table} (
  kind ${KIND_TYPE},
  id UInt64,
  name String,
  url Nullable(String),
  status Nullable(String),
  category Nullable(String),
  is_removed Bool,
  at DateTime64(6, 'UTC')
) ${directoryStorage(table, topology)}`;
}
