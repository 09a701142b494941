/** The tables of a backup, and their copies, which are named like staging tables, so that a crash leaves nothing behind. */

import { type Staging, stagingName } from '../ingest/staging/staging.ts';
import { localTable, SHARDED_BY, type Topology } from '../schema/topology.ts';

/**
 * `imports` only says which imports are under way. A restored database has a change feed of its own, and
 * no sign-in link can be used again in it.
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

/** The table that describes a backup inside it. */
export const FACTS_TABLE = 'facts';

/** The database that the tables of a backup have, whatever the name of the real one is. */
const DATABASE = 'transactions_reporting';

/** A copy of a table on one server. */
export const copyOf = (topology: Topology, { id }: Staging, table: string): string =>
  localTable(topology, stagingName(id, table));

/** The part of a BACKUP statement for one table. */
export const savedTable = (copy: string, table: string): string =>
  `TABLE ${copy} AS ${DATABASE}.${table}`;

/** The part of a RESTORE statement for one table. */
export const restoredTable = (table: string, copy: string): string =>
  `TABLE ${DATABASE}.${table} AS ${copy}`;
