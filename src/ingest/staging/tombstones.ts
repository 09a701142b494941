/**
 * Writes tombstones for transactions that change their program: in the records by program, their
 * older versions lie under the earlier program.
 *
 * Each program that has rows of a transaction, but not its newest version, gets a tombstone. It has the
 * date of the newest version and hides all older rows. Tombstones are published with the rows of
 * the import. Each import compares its own rows with the newest stored ones, so no older version
 * becomes visible again. An import that is finished after a crash writes them again, because other
 * imports may have been published in the meantime. So does an import that another process overtakes.
 */

import { BY_PROGRAM, TABLE_OF } from '../../plan/report-table.ts';
import { plainStatement } from '../../plan/sql.ts';
import { awaitReplication, type ClusterNodes } from '../../schema/cluster-nodes.ts';
import { identifierRanges, type Range, rangePredicate } from '../checks/identifier-ranges.ts';
import { type Staging, stagedTable } from './staging.ts';

export async function writeTombstones(
  nodes: ClusterNodes,
  staging: Staging,
  rowsAtATime?: number,
): Promise<void> {
  const { table: staged, target: stored } = stagedTable(nodes.topology, staging, TABLE_OF.admin);
  const byProgram = stagedTable(nodes.topology, staging, BY_PROGRAM);
  // All versions of a transaction are on the same server, so each server is handled alone.
  for (const server of nodes.servers) {
    for (const range of await identifierRanges(server, staged, rowsAtATime)) {
      const versions = [
        versionsIn(staged, 1, rangePredicate(staged, range)),
        versionsIn(stored, 0, isStaged(stored, staged, range)),
      ];
      await server.execute(plainStatement(departures(byProgram.table, versions)));
    }
  }
}

/**
 * Writes tombstones again, for attached rows: another process has published rows that they were not compared with.
 *
 * Of two such processes, the one that attaches last sees the rows of both. The programs come from the table by
 * program, because a merge may have removed the older version from the main table.
 */
export async function writeLateTombstones(nodes: ClusterNodes, staging: Staging): Promise<void> {
  const { table: staged, target: stored } = stagedTable(nodes.topology, staging, TABLE_OF.admin);
  const byProgram = stagedTable(nodes.topology, staging, BY_PROGRAM);
  for (const server of nodes.servers) {
    for (const range of await identifierRanges(server, staged)) {
      const versions = [
        versionsIn(stored, 1, isStaged(stored, staged, range)),
        versionsIn(byProgram.target, 0, `NOT has_left AND ${hasStagedKey(staged, range)}`),
      ];
      // The staged ones name the former programs in the changes. They are not attached any more.
      for (const to of [byProgram.table, byProgram.target])
        await server.execute(plainStatement(departures(to, versions)));
    }
  }
  await awaitReplication(nodes, [byProgram.target]);
}

const isStaged = (stored: string, staged: string, range: Range): string =>
  `${rangePredicate(stored, range)}
      AND transaction_id IN (SELECT transaction_id FROM ${staged} WHERE ${rangePredicate(staged, range)})`;

/** For the table by program, which has no index of identifiers. With the dates, the engine skips other months. */
const hasStagedKey = (staged: string, range: Range): string =>
  `(created_at, transaction_id) IN (
        SELECT created_at, transaction_id FROM ${staged} WHERE ${rangePredicate(staged, range)})`;

const KEY = 'type, created_at, transaction_id';

/** SQL for the order of insertion: part number, then offset. Of versions with the same date, the last one counts. */
const PLACE = "toUInt64(splitByChar('_', _part)[2]), _part_offset";

/** Of versions with the same date, those with the greater rank count. */
const versionsIn = (table: string, rank: 0 | 1, condition: string): string =>
  `SELECT ${KEY}, publisher_id, program_id, updated_at, (updated_at, ${rank}, ${PLACE}) AS version
    FROM ${table} WHERE ${condition}`;

function departures(to: string, versions: readonly string[]): string {
  return `INSERT INTO ${to} (${KEY}, publisher_id, program_id, updated_at, status, record_head, record_tail, has_left)
SELECT ${KEY}, publisher, arrayJoin(arrayFilter(program -> program != present, programs)), newest, 0, '', '', true
FROM (
  SELECT ${KEY}, any(publisher_id) AS publisher, groupUniqArray(program_id) AS programs,
    argMax(program_id, version) AS present, max(updated_at) AS newest
  FROM (
    ${versions.join('\n    UNION ALL\n    ')}
  )
  GROUP BY ${KEY} HAVING length(programs) > 1
)
SETTINGS optimize_on_insert = 0, max_partitions_per_insert_block = 0`;
}
