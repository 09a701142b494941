/**
 * The administrators' records once more, sorted by website and by program.
 *
 * A question for one of many must not read the others. A copy holds the finished record and what
 * conditions need; it is filled from the table of transactions and made anew where the record's
 * fields change.
 */

import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Engine } from '../engine/engine.ts';
import { BY_PROGRAM, BY_PUBLISHER, PROJECTED_FIELDS, RECORD_HASH } from '../plan/report-table.ts';
import { select } from '../plan/select.ts';
import { command } from '../plan/sql.ts';
import { columnDefinition, columnsOf, GRANULARITY, PARTITIONS } from './table-definitions.ts';
import { localTable, replacingEngine, type Topology } from './topology.ts';

export interface Copy {
  readonly table: string;
  /** What its rows are sorted by before their date. */
  readonly sortedBy: 'publisher_id' | 'program_id';
}

export const PROJECTIONS: readonly Copy[] = [
  { table: BY_PUBLISHER, sortedBy: 'publisher_id' },
  { table: BY_PROGRAM, sortedBy: 'program_id' },
];

/**
 * The columns of a copy.
 *
 * A transaction may change its program, and its older versions lie elsewhere then: a row that says
 * it has left takes their place (see ingest/departures.ts).
 */
const COLUMNS = ['type', ...PROJECTED_FIELDS, 'record_head', 'record_tail'];

/** The columns and the query that fill a copy from a table of transactions. */
export const copied = (from: string): string =>
  `SELECT ${COLUMNS.join(', ')}, false AS has_left FROM ${from}`;

export const createProjectionView = (view: string, from: string, to: string): string =>
  `CREATE MATERIALIZED VIEW IF NOT EXISTS ${view} TO ${to} AS ${copied(from)}`;

export const projectionStorage = ({ sortedBy }: Copy, table: string, topology: Topology): string =>
  `ENGINE = ${replacingEngine(topology, table, 'updated_at')}
${PARTITIONS}
ORDER BY (type, ${sortedBy}, created_at, transaction_id)
SETTINGS index_granularity = ${GRANULARITY}`;

const feedOf = ({ table }: Copy): string => `${table}_feed`;

/** Makes the copies that are missing or of other fields; returns those that were there before. */
export async function syncProjections(
  server: Engine,
  timeZone: string,
  topology: Topology,
): Promise<readonly string[]> {
  const made: string[] = [];
  for (const copy of PROJECTIONS) {
    const form = formOf(copy, timeZone);
    const table = localTable(topology, copy.table);
    const stored = await storedForm(server, table);
    if (stored !== form) await makeCopy(server, copy, form, timeZone, topology);
    if (stored !== undefined && stored !== form) made.push(copy.table);
    // A process that died may have left what it replaced, and no feed.
    await server.execute(command(`DROP TABLE IF EXISTS ${nextOf(table, form)} SYNC`));
    const feed = createProjectionView(feedOf(copy), localTable(topology, 'transactions'), table);
    await server.execute(command(feed));
  }
  return made;
}

/** Changes with whatever the rows of a copy are made of. */
function formOf(copy: Copy, timeZone: string): string {
  // The hash is of the record's text, and no copy has it.
  const columns = columnsOf('admin', timeZone).filter(({ name }) => name !== RECORD_HASH);
  const parts = [copyColumns(timeZone), columns, copy];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8);
}

async function storedForm(server: Engine, table: string): Promise<string | undefined> {
  const comment = command(`SELECT comment FROM system.tables
WHERE database = currentDatabase() AND name = '${table}'`);
  const rows = await server.rows(select(v.object({ comment: v.string() }), comment));
  return rows[0]?.comment;
}

/** Fills a new table beside the old one and puts it in its place when it is whole. */
async function makeCopy(
  server: Engine,
  copy: Copy,
  form: string,
  timeZone: string,
  topology: Topology,
): Promise<void> {
  const source = localTable(topology, 'transactions');
  const table = localTable(topology, copy.table);
  const next = nextOf(table, form);
  const isReplaced = (await storedForm(server, table)) !== undefined;
  const texts = [
    `DROP TABLE IF EXISTS ${next} SYNC`,
    `CREATE TABLE ${next} (${copyColumns(timeZone)}) ${projectionStorage(copy, next, topology)} COMMENT '${form}'`,
    `INSERT INTO ${next} ${copied(`${source} FINAL`)}
SETTINGS do_not_merge_across_partitions_select_final = 1, max_partitions_per_insert_block = 0`,
    `DROP VIEW IF EXISTS ${feedOf(copy)} SYNC`,
    isReplaced ? `EXCHANGE TABLES ${next} AND ${table}` : `RENAME TABLE ${next} TO ${table}`,
  ];
  for (const text of texts) await server.execute(command(text));
}

/** Where a copy is made before it is whole. */
const nextOf = (table: string, form: string): string => `${table}_${form}`;

function copyColumns(timeZone: string): string {
  const definitions = columnsOf('admin', timeZone)
    .filter(({ name }) => COLUMNS.includes(name))
    .map((column) => columnDefinition({ ...column, materialized: undefined }));
  return [...definitions, 'has_left Bool'].join(', ');
}
