/**
 * Brings the columns of a table of transactions to what the table of fields says today.
 *
 * A new field needs no migration of its own: the difference between the table and a fresh one made
 * from the fields is what has to be changed.
 */

import * as v from 'valibot';
import { ROLES, type Role } from '../contract/record/records.ts';
import type { Engine } from '../engine/engine.ts';
import { RECORD_HASH, TABLE_OF } from '../plan/report-table.ts';
import { select } from '../plan/select.ts';
import { command } from '../plan/sql.ts';
import {
  type Column,
  columnDefinition,
  columnsOf,
  createFeed,
  createTable,
  FEED,
  fedColumns,
} from './table-definitions.ts';
import { localTable, type Topology } from './topology.ts';

const STORED_COLUMN = v.object({
  name: v.string(),
  type: v.string(),
  default_kind: v.string(),
  default_expression: v.string(),
});

type StoredColumn = v.InferOutput<typeof STORED_COLUMN>;

/** Where a fresh table stands for the comparison. */
const PATTERN_TABLE = 'alignment_pattern';

interface Change {
  readonly column: Column;
  readonly statements: readonly string[];
}

/** What brings the columns of a table to their form; nothing where they have it. */
async function alignments(
  engine: Engine,
  role: Role,
  table: string,
  timeZone: string,
): Promise<readonly Change[]> {
  await engine.execute(command(`DROP TABLE IF EXISTS ${PATTERN_TABLE} SYNC`));
  await engine.execute(command(createTable(role, PATTERN_TABLE, timeZone)));
  try {
    const wanted = await storedColumns(engine, PATTERN_TABLE);
    const present = await storedColumns(engine, table);
    const changes: Change[] = [];
    for (const [at, column] of columnsOf(role, timeZone).entries()) {
      const before = columnsOf(role, timeZone)[at - 1];
      const statements = [
        ...changesOf(table, column, before, wanted.get(column.name), present.get(column.name)),
        ...(isMadeOf(column, changes) ? [computeAnew(table, column)] : []),
      ];
      if (statements.length > 0) changes.push({ column, statements: [...new Set(statements)] });
    }
    return changes;
  } finally {
    await engine.execute(command(`DROP TABLE IF EXISTS ${PATTERN_TABLE} SYNC`));
  }
}

/** Whether a column is computed from one that is computed anew. */
const isMadeOf = ({ materialized }: Column, changes: readonly Change[]): boolean =>
  changes.some(({ column }) => column.materialized && materialized?.includes(column.name));

/** The rows that are there already get the column's new value. */
const computeAnew = (table: string, { name }: Column): string =>
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
  const place = before === undefined ? 'FIRST' : `AFTER ${before.name}`;
  const change =
    present === undefined ? `ADD COLUMN ${definition} ${place}` : `MODIFY COLUMN ${definition}`;
  const made = `ALTER TABLE ${table} ${change}`;
  return column.materialized === undefined ? [made] : [made, computeAnew(table, column)];
}

async function storedColumns(
  engine: Engine,
  table: string,
): Promise<ReadonlyMap<string, StoredColumn>> {
  const stored = command(`SELECT name, type, default_kind, default_expression FROM system.columns
WHERE database = currentDatabase() AND table = '${table}'`);
  const columns = await engine.rows(select(STORED_COLUMN, stored));
  return new Map(columns.map((column) => [column.name, column]));
}

/** Aligns both tables and what fills the affiliates' one; returns the tables that it changed. */
export async function syncSchema(
  engine: Engine,
  timeZone: string,
  topology: Topology,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const role of ROLES) {
    const name = TABLE_OF[role];
    const table = localTable(topology, name);
    const changes = await alignments(engine, role, table, timeZone);
    for (const text of changes.flatMap(({ statements }) => statements)) {
      await engine.execute(command(text));
    }
    if (changes.length > 0) changed.push(name);
    // What was hidden from affiliates until now is filled in from the other table.
    const isOfRecords = changes.some(({ column }) => column.name !== RECORD_HASH);
    if (isOfRecords && role === 'affiliate') await refill(engine, topology);
  }
  return changed;
}

async function refill(engine: Engine, topology: Topology): Promise<void> {
  const [from, to] = [
    localTable(topology, TABLE_OF.admin),
    localTable(topology, TABLE_OF.affiliate),
  ];
  await engine.execute(command(`DROP VIEW IF EXISTS ${FEED} SYNC`));
  await engine.execute(command(createFeed(FEED, from, to)));
  const { columns, select } = fedColumns(from);
  await engine.execute(command(`INSERT INTO ${to} (${columns}) ${select}`));
}
