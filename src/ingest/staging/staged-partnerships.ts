/** Stages an import's pairs of publisher and program, so that they become visible with its transactions. */

import { PARTNERSHIPS, TABLE_OF } from '../../plan/report-table.ts';
import { plainStatement } from '../../plan/sql.ts';
import { type ClusterNodes, executeEverywhere } from '../../schema/cluster-nodes.ts';
import { fillPartnershipsSql, partnershipStorage } from '../../schema/directory-tables.ts';
import { localTable } from '../../schema/topology.ts';
import { type Staging, stagedTable, stagingName } from './staging.ts';

/** Must run after all transactions of the import are staged. `publish` attaches its table too. */
export async function stagePartnerships(nodes: ClusterNodes, staging: Staging): Promise<void> {
  const { topology, servers } = nodes;
  const table = localTable(topology, stagingName(staging.id, PARTNERSHIPS));
  const target = localTable(topology, PARTNERSHIPS);
  const storage = partnershipStorage(table, topology);
  await executeEverywhere(nodes, `CREATE TABLE ${table} AS ${target} ${storage}`);
  const { table: transactions } = stagedTable(topology, staging, TABLE_OF.admin);
  // All rows of a publisher are on the same server.
  for (const server of servers) {
    await server.execute(plainStatement(fillPartnershipsSql(table, transactions)));
  }
}
