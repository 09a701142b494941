/**
 * Notes where transactions of an import have left: in the records by program, a version that is out
 * of date lies under the program that it had.
 *
 * Whatever program has rows of a transaction and is not that of its newest version gets a row that
 * says so, as new as the newest version: it hides all that are older. It is published with the rows
 * of the import. As each import does so for its own rows and for the newest one that was stored,
 * nothing older is ever seen again. One that is finished later does so again, for others may have
 * been published since.
 */

import { BY_PROGRAM, TABLE_OF } from '../../plan/report-table.ts';
import { command } from '../../plan/sql.ts';
import type { ClusterNodes } from '../../schema/cluster-nodes.ts';
import { identifierRanges, type Range, within } from '../checks/identifier-ranges.ts';
import { type Staging, stagedTable } from './staging.ts';

export async function writeTombstones(
  nodes: ClusterNodes,
  staging: Staging,
  rowsAtATime?: number,
): Promise<void> {
  const staged = stagedTable(nodes.topology, staging, TABLE_OF.admin);
  const byProgram = stagedTable(nodes.topology, staging, BY_PROGRAM);
  // All versions of a transaction are on the same server, so each looks at its own.
  for (const server of nodes.servers) {
    for (const range of await identifierRanges(server, staged.table, rowsAtATime)) {
      const text = departures(staged.table, staged.target, byProgram.table, range);
      await server.execute(command(text));
    }
  }
}

const KEY = 'type, created_at, transaction_id';

/** Of versions with the same date the last one counts: that of the last part, and the last in it. */
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
    SELECT ${version(1)} FROM ${staged} WHERE ${within(staged, range)}
    UNION ALL
    SELECT ${version(0)} FROM ${stored} WHERE ${within(stored, range)}
      AND transaction_id IN (SELECT transaction_id FROM ${staged} WHERE ${within(staged, range)})
  )
  GROUP BY ${KEY} HAVING length(programs) > 1
)
SETTINGS optimize_on_insert = 0`;
}
