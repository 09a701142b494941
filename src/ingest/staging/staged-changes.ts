/**
 * Writes the changes of an import into a staging table: the keys of rows that are new, or replace the
 * stored version.
 *
 * A transaction that changes its program has a key for each of the two programs, so that an administrator
 * of the former one is told.
 */

import * as v from 'valibot';
import { STORED_FIELDS } from '../../contract/record/fields.ts';
import { BY_PROGRAM, RECORD_HASH, TABLE_OF } from '../../plan/report-table.ts';
import { ANY_ROW, INTEGER, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import { changesStorage, NOW_MICROSECONDS_SQL } from '../../schema/change-tables.ts';
import { type ClusterNodes, executeEverywhere } from '../../schema/cluster-nodes.ts';
import { localTable, type Topology } from '../../schema/topology.ts';
import { identifierRanges, type Range, rangePredicate } from '../checks/identifier-ranges.ts';
import { createUnmergedTable } from '../unmerged-table.ts';
import { type Staging, stagedTable, stagingName } from './staging.ts';

/** The staged changes of one server, and the table to which they are attached. */
export const stagedChanges = (topology: Topology, { id }: Staging) => ({
  table: localTable(topology, stagingName(id, 'changes')),
  target: localTable(topology, 'changes'),
});

export async function createStagedChangesTable(
  nodes: ClusterNodes,
  staging: Staging,
): Promise<void> {
  const staged = stagedChanges(nodes.topology, staging);
  await createUnmergedTable(nodes, staged, changesStorage(staged.table, nodes.topology));
}

/** Restored backups, and imports that an older version of the service left behind, have no staged changes. */
export async function hasStagedChanges({ engine, topology }: ClusterNodes, staging: Staging) {
  const { table } = stagedChanges(topology, staging);
  const text = `SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = '${table}'`;
  return (await engine.rows(select(ANY_ROW, plainStatement(text)))).length > 0;
}

/** Writes a change for each staged row that is new or replaces the stored version. */
export async function writeChanges(
  nodes: ClusterNodes,
  staging: Staging,
  batch: number,
  rowsAtATime?: number,
): Promise<void> {
  const { table } = stagedChanges(nodes.topology, staging);
  const { table: staged, target } = stagedTable(nodes.topology, staging, TABLE_OF.admin);
  // All versions of a transaction are on the same server, so each server is handled alone.
  for (const server of nodes.servers) {
    for (const range of await identifierRanges(server, staged, rowsAtATime)) {
      await server.execute(
        plainStatement(changed({ staged, stored: target, to: table, batch }, range)),
      );
    }
  }
}

/**
 * Writes a change for each staged row, without comparing it with stored ones. It is needed if the rows may be
 * attached already, or if another process has published rows since the comparison. Returns `batch`.
 */
export async function writeAllChanges(
  nodes: ClusterNodes,
  staging: Staging,
  batch: number,
): Promise<number> {
  const { table } = stagedChanges(nodes.topology, staging);
  // The table by program also has the tombstones, which name the former programs.
  const { table: staged } = stagedTable(nodes.topology, staging, BY_PROGRAM);
  await executeEverywhere(nodes, `TRUNCATE TABLE ${table}`);
  await executeEverywhere(
    nodes,
    `INSERT INTO ${table} (${COLUMNS})
SELECT ${batch}, publisher_id, transaction_id, program_id, any(type), any(created_at), max(updated_at), 0
FROM ${staged} GROUP BY publisher_id, transaction_id, program_id ${SETTINGS}`,
  );
  return batch;
}

const COLUMNS =
  'batch, publisher_id, transaction_id, program_id, type, created_at, updated_at, kept_from';

const SETTINGS = 'SETTINGS optimize_on_insert = 0, max_insert_threads = 1';

/** The number of a new batch: the time on the clock of the server, in microseconds since 1970. */
export async function newBatch({ engine }: ClusterNodes): Promise<number> {
  const now = plainStatement(`SELECT ${NOW_MICROSECONDS_SQL} AS batch`);
  const [row] = await engine.rows(select(v.object({ batch: INTEGER }), now));
  if (row === undefined) throw new Error('The database did not return its current time.');
  return row.batch;
}

interface Comparison {
  readonly staged: string;
  readonly stored: string;
  readonly to: string;
  readonly batch: number;
}

/** Hash by which versions are compared. Includes the stored IP addresses, because records may mask or hide them. */
const CONTENT = `cityHash64(${[
  RECORD_HASH,
  ...STORED_FIELDS.filter(({ type }) => type === 'address').map(
    ({ name }) => `ifNull(${name}, '')`,
  ),
].join(', ')})`;

/** Orders versions like tombstones.ts, but as one number: the engine compares tuples ten times slower. */
const VERSION_ORDER = `bitOr(bitShiftLeft(toUInt128(toUInt32(updated_at)), 96),
        bitOr(bitShiftLeft(toUInt128(splitByChar('_', _part)[2]), 64), toUInt128(_part_offset)))`;

function changed({ staged, stored, to, batch }: Comparison, range: Range): string {
  const versions = (isStaged: 0 | 1) =>
    `transaction_id, type, created_at, publisher_id, program_id, updated_at,
      ${VERSION_ORDER} AS place, ${CONTENT} AS content, ${isStaged} AS is_staged`;
  return `INSERT INTO ${to} (${COLUMNS})
SELECT ${batch}, publisher, transaction_id,
  arrayJoin(if(is_known, arrayDistinct([program, program_before]), [program])), kind, created, updated, 0
FROM (
  SELECT transaction_id, any(type) AS kind, any(created_at) AS created, any(publisher_id) AS publisher,
    max(is_staged = 0) AS is_known,
    argMaxIf(program_id, place, is_staged = 1) AS program, argMaxIf(program_id, place, is_staged = 0) AS program_before,
    argMaxIf(content, place, is_staged = 1) AS content_now, argMaxIf(content, place, is_staged = 0) AS content_before,
    maxIf(updated_at, is_staged = 1) AS updated, maxIf(updated_at, is_staged = 0) AS updated_before
  FROM (
    SELECT ${versions(1)} FROM ${staged} WHERE ${rangePredicate(staged, range)}
    UNION ALL
    SELECT ${versions(0)} FROM ${stored} WHERE ${rangePredicate(stored, range)}
      AND transaction_id IN (SELECT transaction_id FROM ${staged} WHERE ${rangePredicate(staged, range)})
  )
  GROUP BY transaction_id
  HAVING NOT is_known OR updated > updated_before OR (updated = updated_before AND content_now != content_before)
) ${SETTINGS}`;
}
