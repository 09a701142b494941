/**
 * Projections of the administrators' records, sorted by publisher and by program.
 *
 * A list or summary of one publisher or program reads only its own rows. A projection holds the
 * rendered record, its hash, and the columns that conditions and summaries need. It is filled from the
 * table of transactions, and rebuilt when the fields of the record change.
 */

import { createHash } from 'node:crypto';
import { FULL_ADDRESSES } from '../contract/record/address-visibility.ts';
import type { Engine } from '../engine/engine.ts';
import { BY_PROGRAM, BY_PUBLISHER, PROJECTED_FIELDS, RECORD_HASH } from '../plan/report-table.ts';
import { plainStatement } from '../plan/sql.ts';
import { awaitFullReplication } from './cluster-nodes.ts';
import { columnDefinition, columnsOf, GRANULARITY, PARTITIONS } from './table-definitions.ts';
import { localTable, replacingEngine, type Topology, tablesLike } from './topology.ts';
import type { RequireLease } from './values/maintenance-lease.ts';
import { tableComment } from './values/table-comment.ts';

export interface Projection {
  readonly table: string;
  /** The first column of the sorting key, before the date. */
  readonly sortedBy: 'publisher_id' | 'program_id';
}

export const PROJECTIONS: readonly Projection[] = [
  { table: BY_PUBLISHER, sortedBy: 'publisher_id' },
  { table: BY_PROGRAM, sortedBy: 'program_id' },
];

/**
 * The columns of a projection besides `has_left`, which marks a tombstone.
 *
 * When a transaction changes its program, a tombstone under the old program hides its older versions
 * (see tombstones.ts). Renaming `has_left` would rebuild the tables and break services of an older
 * version.
 */
const COLUMNS = ['type', ...PROJECTED_FIELDS, 'record_head', 'record_tail', RECORD_HASH];

/** The columns of a projection, and the query that selects them from a table of transactions. */
export const projectedColumns = (from: string) => ({
  columns: [...COLUMNS, 'has_left'].join(', '),
  select: `SELECT ${COLUMNS.join(', ')}, false AS has_left FROM ${from}`,
});

export const projectionViewSql = (view: string, from: string, to: string): string =>
  `CREATE MATERIALIZED VIEW IF NOT EXISTS ${view} TO ${to} AS ${projectedColumns(from).select}`;

export const projectionStorage = (
  { sortedBy }: Projection,
  table: string,
  topology: Topology,
): string =>
  `ENGINE = ${replacingEngine(topology, table, 'updated_at')}
${PARTITIONS}
ORDER BY (type, ${sortedBy}, created_at, transaction_id)
SETTINGS index_granularity = ${GRANULARITY}`;

const feedOf = ({ table }: Projection): string => `${table}_feed`;

/** Whether a projection is missing or outdated, or an interrupted rebuild has left a table with a copy of rows. */
export async function areProjectionsOutdated(
  server: Engine,
  timeZone: string,
  topology: Topology,
): Promise<boolean> {
  for (const projection of PROJECTIONS) {
    const table = localTable(topology, projection.table);
    const stored = await tableComment(server, table);
    if (stored !== definitionHash(projection, timeZone)) return true;
    if ((await rebuiltTables(server, table)).length > 0) return true;
  }
  return false;
}

/** Builds missing and outdated projections. Returns the tables that were outdated. */
export async function syncProjections(
  server: Engine,
  timeZone: string,
  topology: Topology,
  requireLease?: RequireLease,
): Promise<readonly string[]> {
  const rebuilt: string[] = [];
  for (const projection of PROJECTIONS) {
    const hash = definitionHash(projection, timeZone);
    const table = localTable(topology, projection.table);
    const stored = await tableComment(server, table);
    if (stored !== hash)
      await rebuild(server, projection, { hash, timeZone, topology, requireLease });
    if (stored !== undefined && stored !== hash) rebuilt.push(projection.table);
    // These two steps end a rebuild. They always run, because an earlier process may have died before them.
    for (const left of await rebuiltTables(server, table))
      await server.execute(plainStatement(`DROP TABLE IF EXISTS ${left} SYNC`));
    const feed = projectionViewSql(feedOf(projection), localTable(topology, 'transactions'), table);
    await server.execute(plainStatement(feed));
  }
  return rebuilt;
}

/**
 * A hash of everything that determines the rows of a projection, except the setting for IP addresses,
 * whose change rewrites them (see rewrite-addresses.ts). It is stored as the comment of the table.
 */
function definitionHash(projection: Projection, timeZone: string): string {
  const columns = columnsOf('admin', timeZone, FULL_ADDRESSES).filter(
    ({ alias }) => alias === undefined,
  );
  const parts = [projectionColumns(timeZone), columns, projection];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8);
}

interface Rebuild {
  readonly hash: string;
  readonly timeZone: string;
  readonly topology: Topology;
  readonly requireLease: RequireLease | undefined;
}

/** Fills a new table and then exchanges it with the old one. */
async function rebuild(
  server: Engine,
  projection: Projection,
  { hash, timeZone, topology, requireLease }: Rebuild,
): Promise<void> {
  const transactions = localTable(topology, 'transactions');
  const table = localTable(topology, projection.table);
  const next = nextOf(table, hash);
  const filled = projectedColumns(`${transactions} FINAL`);
  const isReplaced = (await tableComment(server, table)) !== undefined;
  // A replica that is behind would fill the projection with earlier versions, which newer ones may never replace.
  await awaitFullReplication({ engine: server, servers: [server], topology }, [transactions]);
  const filling = [
    `DROP TABLE IF EXISTS ${next} SYNC`,
    `CREATE TABLE ${next} (${projectionColumns(timeZone)}) ${projectionStorage(projection, next, topology)} COMMENT '${hash}'`,
    `INSERT INTO ${next} (${filled.columns}) ${filled.select}
SETTINGS do_not_merge_across_partitions_select_final = 1, max_partitions_per_insert_block = 0`,
  ];
  for (const text of filling) await server.execute(plainStatement(text));
  await requireLease?.();
  const exchanging = [
    `DROP VIEW IF EXISTS ${feedOf(projection)} SYNC`,
    isReplaced ? `EXCHANGE TABLES ${next} AND ${table}` : `RENAME TABLE ${next} TO ${table}`,
  ];
  for (const text of exchanging) await server.execute(plainStatement(text));
}

/** The table in which a projection is built. */
const nextOf = (table: string, hash: string): string => `${table}_${hash}`;

/** The tables in which any version of the service builds the projection, or that it has replaced. */
const rebuiltTables = async (server: Engine, table: string): Promise<readonly string[]> =>
  await tablesLike(server, `^${nextOf(table, '[0-9a-f]{8}')}$`);

function projectionColumns(timeZone: string): string {
  const definitions = columnsOf('admin', timeZone, FULL_ADDRESSES)
    .filter(({ name }) => COLUMNS.includes(name))
    .map((column) => columnDefinition({ ...column, materialized: undefined }));
  return [...definitions, 'has_left Bool'].join(', ');
}
