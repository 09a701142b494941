/** Tables of the directory: the newest entry of each program, publisher and support, and all partnerships. */

import { DIRECTORIES } from '../contract/record/directory.ts';
import { DIRECTORY } from '../plan/directory/directory-names.ts';
import { PARTNERSHIPS, TABLE_OF } from '../plan/report-table.ts';
import { localTable, replacingEngine, type Topology } from './topology.ts';

const KIND_TYPE = `Enum8(${DIRECTORIES.map((name, at) => `'${name}' = ${at + 1}`).join(', ')})`;

/** The storage clauses of the table of entries, or of one with the same columns and another name. */
export const directoryStorage = (name: string, topology: Topology): string =>
  `ENGINE = ${replacingEngine(topology, name, 'at')} ORDER BY (kind, id)
SETTINGS fsync_after_insert = 1`;

/** Creates the table of the directory's entries. A removed entry is replaced by a row with `is_removed`. */
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

/** The storage clauses of the table of partnerships, or of one with the same columns and another name. */
export const partnershipStorage = (name: string, topology: Topology): string =>
  `ENGINE = ${replacingEngine(topology, name, 'version')} ORDER BY (publisher_id, program_id)
SETTINGS fsync_after_insert = 1`;

/** Inserts the partnerships of the transactions of one server. */
export const fillPartnershipsSql = (to: string, from: string): string =>
  `INSERT INTO ${to} (publisher_id, program_id) SELECT DISTINCT publisher_id, program_id FROM ${from}`;

/** Creates the table of partnerships, and fills it from the transactions of an existing database. */
export function partnershipsTableSql(topology: Topology): readonly string[] {
  const table = localTable(topology, PARTNERSHIPS);
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (
  publisher_id UInt64,
  program_id UInt64,
  version UInt8 DEFAULT 0
) ${partnershipStorage(table, topology)}`,
    fillPartnershipsSql(table, localTable(topology, TABLE_OF.admin)),
  ];
}
