/**
 * Writes tombstones for transactions that change their program: in the records by program, their
 * older versions lie under the earlier program.
 *
 * Each program that has rows of a transaction, but not its newest version, gets a tombstone. It has the
 * date of the newest version and hides all older rows. Tombstones are published with the rows of
 * the import. Each import compares its own rows with the newest stored ones, so no older version
 * becomes visible again. An import that is finished after a crash writes them again, because other
 * imports may have been published in the meantime.
 */

import { BY_PROGRAM, TABLE_OF } from '../../plan/report-table.ts';
import { plainStatement } from '../../plan/sql.ts';
import type { ClusterNodes } from '../../schema/cluster-nodes.ts';
import { identifierRanges, type Range, rangePredicate } from '../checks/identifier-ranges.ts';
import { type Staging, stagedTable } from './staging.ts';

export async function writeTombstones(
  nodes: ClusterNodes,
  staging: Staging,
  rowsAtATime?: number,
): Promise<void> {
  const staged = stagedTable(nodes.topology, staging, TABLE_OF.admin);
  const byProgram = stagedTable(nodes.topology, staging, BY_PROGRAM);
  // All versions of a transaction are on the same server, so each server is handled alone.
  for (const server of nodes.servers) {
    for (const range of await identifierRanges(server, staged.table, rowsAtATime)) {
      const text = departures(staged.table, staged.target, byProgram.table, range);
      await server.execute(plainStatement(text));
    }
  }
}

const KEY = 'type, created_at, transaction_id';

/** SQL for the order of insertion: part number, then offset. Of versions with the same date, the last one counts. */
const PLACE = "toUInt64(splitByChar('_', _part)[2]), _part_offset";

function departures(staged: string, stored: string, to: string, range: Range): string {
  const version = (isStaged: 0 | 1) =>
    `${KEY}, publisher_id, program_id, updated_at, (updated_at, ${isStaged}, ${PLACE}) AS version`;
  return `INSERT INTO ${to} (${KEY}, publisher_id, program_id, updated_at, status, record_head, record_tail, has_left)
SELECT ${KEY}, publisher, arrayJoin(arrayFilter(program -> program != present, programs)), newest, 0, '', '', true
FROM (
  SELECT ${KEY}, any(publisher_id) AS publisher, groupUniqArray(program_id) AS programs,
    argMax(program_id, version) AS present, max(updated_at) AS newest
  FROM (
    SELECT ${version(1)} FROM ${staged} WHERE ${rangePredicate(staged, range)}
    UNION ALL
    SELECT ${version(0)} FROM ${stored} WHERE ${rangePredicate(stored, range)}
      AND transaction_id IN (SELECT transaction_id FROM ${staged} WHERE ${rangePredicate(staged, range)})
  )
  GROUP BY ${KEY} HAVING length(programs) > 1
)
SETTINGS optimize_on_insert = 0`;
}
