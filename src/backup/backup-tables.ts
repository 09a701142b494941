/**
 * The tables of a backup, and their copies.
 *
 * The copies are named like staging tables, which are removed after a crash.
 */

import { type Staging, stagingName } from '../ingest/staging/staging.ts';
import { localTable, SHARDED_BY, type Topology } from '../schema/topology.ts';

/**
 * Tables that a backup omits. A restored database needs no states of earlier imports, and begins a change
 * feed of its own. Sign-in links from before the restore do not work in it.
 */
const NOT_SAVED: readonly string[] = [
  'imports',
  'changes',
  'publications',
  'sign_in_links',
  'sign_in_claims',
];

/** All other tables. */
export const BACKUP_TABLES: readonly string[] = Object.keys(SHARDED_BY).filter(
  (table) => !NOT_SAVED.includes(table),
);

/** The table in every backup that describes the backup. */
export const FACTS_TABLE = 'facts';

/** The database name in every backup, independent of the name of the real database. */
const DATABASE = 'transactions_reporting';

/** The name of a table's copy on one server. */
export const copyTableName = (topology: Topology, { id }: Staging, table: string): string =>
  localTable(topology, stagingName(id, table));

/** The part of a BACKUP statement for one table. */
export const backupClause = (copy: string, table: string): string =>
  `TABLE ${copy} AS ${DATABASE}.${table}`;

/** The part of a RESTORE statement for one table. */
export const restoreClause = (table: string, copy: string): string =>
  `TABLE ${DATABASE}.${table} AS ${copy}`;
