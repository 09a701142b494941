/**
 * Deletes rows that the administrators' table has lost, for example with a damaged part.
 *
 * An erasure publishes the rows of that table with empty fields. The other tables are filled from it, so nothing
 * would replace a version that only they have.
 */

import { TABLE_OF } from '../plan/report-table.ts';
import { ANY_ROW, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { PROJECTIONS } from '../schema/projections.ts';
import { localTable } from '../schema/topology.ts';
import { awaitTransactions } from '../schema/transaction-tables.ts';
import { erasedPredicate } from './erased-keys.ts';
import { deleteWhere, transactionTablesOf } from './rewrite-parts.ts';

export async function deleteOrphanedRows(
  nodes: ClusterNodes,
  id: string,
  months: readonly number[],
): Promise<void> {
  const { topology } = nodes;
  // A replica that is late would count rows as lost.
  await awaitTransactions(nodes);
  const condition = `toYYYYMM(created_at) IN (${months.join(', ')}) AND ${erasedPredicate(id)}`;
  const known = `SELECT transaction_id, updated_at FROM ${localTable(topology, TABLE_OF.admin)} WHERE ${condition}`;
  const isOrphaned = `${condition} AND (transaction_id, updated_at) NOT IN (${known})`;
  const projections = PROJECTIONS.map(({ table }) => localTable(topology, table));
  for (const place of transactionTablesOf(nodes)) {
    const { server, table } = place;
    // Without its tombstone, an older version would become visible again. A tombstone has no values.
    const isDeleted = projections.includes(table) ? `${isOrphaned} AND NOT has_left` : isOrphaned;
    // Versions that a merge has already removed from the administrators' table do not count.
    const newest = `SELECT 1 FROM ${table} FINAL WHERE ${isDeleted} LIMIT 1`;
    const found = await server.rows({ ...select(ANY_ROW, plainStatement(newest)), isScan: true });
    if (found.length > 0) await deleteWhere(place, isDeleted);
  }
}
