/** The table of partnerships: which publishers have, or had, transactions of which programs. */

import { PARTNERSHIPS, TABLE_OF } from '../plan/report-table.ts';
import { localTable, replacingEngine, type Topology } from './topology.ts';

/** The storage clauses of the table, or of one with the same columns and another name. */
export const partnershipStorage = (name: string, topology: Topology): string =>
  `ENGINE = ${replacingEngine(topology, name, 'version')} ORDER BY (publisher_id, program_id)`;

/** Inserts the partnerships of the transactions of one server. */
export const fillPartnershipsSql = (to: string, from: string): string =>
  `INSERT INTO ${to} (publisher_id, program_id) SELECT DISTINCT publisher_id, program_id FROM ${from}`;

/** Creates the table, and fills it from the transactions of an existing database. */
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
