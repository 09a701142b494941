/**
 * Brings the columns of a table of transactions to what the table of fields says today.
 *
 * A new field needs no migration of its own: the difference between the table and a fresh one made
 * from the fields is what has to be changed.
 */

import type { Audience } from '../contract/records.ts';
import { TABLE_OF } from '../plan/report-table.ts';
import { command } from '../plan/sql.ts';
import type { Engine } from './engine.ts';
import { type Layout, localTable } from './layout.ts';
import {
  type Column,
  columnDefinition,
  columnsOf,
  createFeed,
  createTable,
  FEED,
  fedColumns,
} from './schema.ts';

interface StoredColumn {
  readonly name: string;
  readonly type: string;
  readonly default_kind: string;
  readonly default_expression: string;
}

/** Where a fresh table stands for the comparison. */
const PATTERN_TABLE = 'alignment_pattern';

/** The statements that bring a table to its form; none where it has it. */
async function alignments(
  engine: Engine,
  audience: Audience,
  table: string,
  timeZone: string,
): Promise<readonly string[]> {
  await engine.execute(command(`DROP TABLE IF EXISTS ${PATTERN_TABLE} SYNC`));
  await engine.execute(command(createTable(audience, PATTERN_TABLE, timeZone)));
  try {
    const wanted = await storedColumns(engine, PATTERN_TABLE);
    const present = await storedColumns(engine, table);
    return columnsOf(audience, timeZone).flatMap((column, at, all) =>
      changesOf(table, column, all[at - 1], wanted.get(column.name), present.get(column.name)),
    );
  } finally {
    await engine.execute(command(`DROP TABLE IF EXISTS ${PATTERN_TABLE} SYNC`));
  }
}

function changesOf(
  table: string,
  column: Column,
  before: Column | undefined,
  wanted: StoredColumn | undefined,
  present: StoredColumn | undefined,
): readonly string[] {
  const definition = columnDefinition(column);
  if (present === undefined) {
    const place = before === undefined ? 'FIRST' : `AFTER ${before.name}`;
    return [`ALTER TABLE ${table} ADD COLUMN ${definition} ${place}`];
  }
  if (JSON.stringify(wanted) === JSON.stringify(present)) return [];
  const modify = `ALTER TABLE ${table} MODIFY COLUMN ${definition}`;
  // Rows that are there already are rendered anew.
  const render = `ALTER TABLE ${table} MATERIALIZE COLUMN ${column.name} SETTINGS mutations_sync = 2`;
  return column.materialized === undefined ? [modify] : [modify, render];
}

async function storedColumns(
  engine: Engine,
  table: string,
): Promise<ReadonlyMap<string, StoredColumn>> {
  const columns = (await engine.rows(
    command(`SELECT name, type, default_kind, default_expression FROM system.columns
WHERE database = currentDatabase() AND table = '${table}'`),
  )) as readonly StoredColumn[];
  return new Map(columns.map((column) => [column.name, column]));
}

/** Aligns both tables and what fills the affiliates' one; returns the tables that it changed. */
export async function alignTables(
  engine: Engine,
  timeZone: string,
  layout: Layout,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const [audience, name] of Object.entries(TABLE_OF) as [Audience, string][]) {
    const table = localTable(layout, name);
    const changes = await alignments(engine, audience, table, timeZone);
    for (const text of changes) await engine.execute(command(text));
    if (changes.length > 0) changed.push(name);
    // What was hidden from affiliates until now is filled in from the other table.
    if (changes.length > 0 && audience === 'affiliate') await refill(engine, layout);
  }
  return changed;
}

async function refill(engine: Engine, layout: Layout): Promise<void> {
  const [from, to] = [localTable(layout, TABLE_OF.admin), localTable(layout, TABLE_OF.affiliate)];
  await engine.execute(command(`DROP VIEW IF EXISTS ${FEED} SYNC`));
  await engine.execute(command(createFeed(FEED, from, to)));
  const { columns, select } = fedColumns(from);
  await engine.execute(command(`INSERT INTO ${to} (${columns}) ${select}`));
}
