/**
 * Adapts the columns of the tables of transactions to the table of fields.
 *
 * A new field needs no migration: the table is compared with a new one that is made from the fields, and
 * columns that differ are changed. As the comparison takes long, it is skipped if the comment of the table
 * has the hash of the present columns and their definitions.
 */

import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { AddressVisibility } from '../contract/record/address-visibility.ts';
import { ROLES, type Role } from '../contract/record/records.ts';
import type { Engine } from '../engine/engine.ts';
import { RECORD_HASH, TABLE_OF } from '../plan/report-table.ts';
import { select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { recreateAffiliateView, refillAffiliates } from './affiliate-view.ts';
import {
  type Column,
  columnDefinition,
  columnsOf,
  transactionTableSql,
} from './table-definitions.ts';
import { localTable, type Topology } from './topology.ts';
import type { RequireLease } from './values/maintenance-lease.ts';
import { tableComment } from './values/table-comment.ts';

const STORED_COLUMN = v.object({
  name: v.string(),
  type: v.string(),
  default_kind: v.string(),
  default_expression: v.string(),
});

type StoredColumn = v.InferOutput<typeof STORED_COLUMN>;

type StoredColumns = ReadonlyMap<string, StoredColumn>;

/** An empty table of the present version, made to compare columns with it and then dropped. */
const REFERENCE_TABLE = 'schema_reference';

/** The comment of a table while its columns and rows are changed. */
const UNFINISHED = 'unfinished';

interface PresentTable {
  readonly table: string;
  readonly present: StoredColumns;
  /** Whether the last changes were interrupted. */
  readonly isUnfinished: boolean;
}

interface Change {
  readonly column: Column;
  readonly statements: readonly string[];
}

/** The columns of a new table that is made from the fields. */
async function wantedColumns(
  engine: Engine,
  role: Role,
  timeZone: string,
  addresses: AddressVisibility,
): Promise<StoredColumns> {
  await engine.execute(plainStatement(`DROP TABLE IF EXISTS ${REFERENCE_TABLE} SYNC`));
  await engine.execute(
    plainStatement(transactionTableSql(role, REFERENCE_TABLE, timeZone, addresses)),
  );
  try {
    return await storedColumns(engine, REFERENCE_TABLE);
  } finally {
    await engine.execute(plainStatement(`DROP TABLE IF EXISTS ${REFERENCE_TABLE} SYNC`));
  }
}

/** The changes that a table needs; after an interruption, all its computed columns are computed again. */
function missingChanges(
  { table, present, isUnfinished }: PresentTable,
  definitions: readonly Column[],
  wanted: StoredColumns,
): readonly Change[] {
  const changes: Change[] = [];
  for (const [at, column] of definitions.entries()) {
    const before = definitions[at - 1];
    const isStale = isUnfinished && column.materialized !== undefined;
    const statements = [
      ...changesOf(table, column, before, wanted.get(column.name), present.get(column.name)),
      ...(isStale || dependsOn(column, changes) ? [recompute(table, column)] : []),
    ];
    if (statements.length > 0) changes.push({ column, statements: [...new Set(statements)] });
  }
  return changes;
}

/** Whether a column is computed from another computed column that changes. */
const dependsOn = ({ materialized }: Column, changes: readonly Change[]): boolean =>
  changes.some(({ column }) => column.materialized && materialized?.includes(column.name));

/** Computes the column for existing rows. */
const recompute = (table: string, { name }: Column): string =>
  `ALTER TABLE ${table} MATERIALIZE COLUMN ${name} SETTINGS mutations_sync = 2`;

function changesOf(
  table: string,
  column: Column,
  before: Column | undefined,
  wanted: StoredColumn | undefined,
  present: StoredColumn | undefined,
): readonly string[] {
  if (present !== undefined && JSON.stringify(wanted) === JSON.stringify(present)) return [];
  const definition = columnDefinition(column);
  const position = before === undefined ? 'FIRST' : `AFTER ${before.name}`;
  const change =
    present === undefined ? `ADD COLUMN ${definition} ${position}` : `MODIFY COLUMN ${definition}`;
  const alter = `ALTER TABLE ${table} ${change}`;
  return column.materialized === undefined ? [alter] : [alter, recompute(table, column)];
}

async function storedColumns(engine: Engine, table: string): Promise<StoredColumns> {
  const stored =
    plainStatement(`SELECT name, type, default_kind, default_expression FROM system.columns
WHERE database = currentDatabase() AND table = '${table}'`);
  const columns = await engine.rows(select(STORED_COLUMN, stored));
  return new Map(columns.map((column) => [column.name, column]));
}

interface SchemaSync {
  readonly timeZone: string;
  readonly topology: Topology;
  readonly addresses: AddressVisibility;
  readonly requireLease: RequireLease | undefined;
}

/** Adapts both tables and the view that fills the affiliates' table. Returns the tables that changed. */
export async function syncSchema(
  engine: Engine,
  { timeZone, topology, addresses, requireLease }: SchemaSync,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const role of ROLES) {
    const name = TABLE_OF[role];
    const table = localTable(topology, name);
    const definitions = columnsOf(role, timeZone, addresses);
    const present = await storedColumns(engine, table);
    const comment = await tableComment(engine, table);
    if (comment === comparedComment(definitions, present)) continue;
    const wanted = await wantedColumns(engine, role, timeZone, addresses);
    const isUnfinished = comment === UNFINISHED;
    const changes = missingChanges({ table, present, isUnfinished }, definitions, wanted);
    if (changes.length > 0) await setComment(engine, table, UNFINISHED);
    for (const text of changes.flatMap(({ statements }) => statements)) {
      await engine.execute(plainStatement(text));
    }
    if (changes.length > 0) changed.push(name);
    // Also without changes: replicated columns may have been changed on another server, and the view is not replicated.
    if (role === 'affiliate') await recreateAffiliateView(engine, topology, addresses);
    // Columns that affiliates may see from now on are filled from the administrators' table.
    const isOfRecords = changes.some(
      ({ column }) => column.name !== RECORD_HASH && column.alias === undefined,
    );
    if (isOfRecords && role === 'affiliate') {
      await requireLease?.();
      await refillAffiliates(engine, topology, addresses);
    }
    const compared = comparedComment(definitions, await storedColumns(engine, table));
    await setComment(engine, table, compared);
  }
  return changed;
}

/** Whether a table differs from its definitions, or was not compared with them yet. */
export async function isSchemaOutdated(
  engine: Engine,
  timeZone: string,
  topology: Topology,
  addresses: AddressVisibility,
): Promise<boolean> {
  for (const role of ROLES) {
    const table = localTable(topology, TABLE_OF[role]);
    const present = await storedColumns(engine, table);
    const compared = comparedComment(columnsOf(role, timeZone, addresses), present);
    if ((await tableComment(engine, table)) !== compared) return true;
  }
  return false;
}

const setComment = async (engine: Engine, table: string, comment: string): Promise<void> =>
  await engine.execute(plainStatement(`ALTER TABLE ${table} MODIFY COMMENT '${comment}'`));

/** The comment of a table whose columns agree with their definitions. */
const comparedComment = (definitions: readonly Column[], present: StoredColumns): string =>
  createHash('sha256')
    .update(JSON.stringify([definitions, ...present.values()]))
    .digest('hex')
    .slice(0, 16);
