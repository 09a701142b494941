/** Stages the directory entries of an import, and the removal of entries that the import does not contain. */

import * as v from 'valibot';
import type { DirectoryName } from '../../contract/record/directory.ts';
import type { Engine } from '../../engine/engine.ts';
import { DIRECTORY } from '../../plan/directory/directory-names.ts';
import { INTEGER, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import { awaitReplication, type ClusterNodes } from '../../schema/cluster-nodes.ts';
import { type NumberedRows, validRowsSql } from '../checks/row-faults.ts';
import { stagedDirectory, stagedEntries } from '../staging/staged-directory.ts';
import type { Staging } from '../staging/staging.ts';

const COLUMNS = 'kind, id, name, url, status, category, is_removed, at';

/** All versions of an entry are kept, so that those that differ are found. */
const KEEP_ALL = 'SETTINGS optimize_on_insert = 0';

/** Stages the valid rows of a file. */
export async function stageEntries(
  engine: Engine,
  numbered: NumberedRows,
  of: DirectoryName,
): Promise<void> {
  const optional = (name: string) => `nullIf(${name}, '')`;
  const values = ['toUInt64OrZero(id)', 'name', ...['url', 'status', 'category'].map(optional)];
  await engine.execute(
    plainStatement(`INSERT INTO ${stagedEntries(numbered.staging)} (${COLUMNS})
SELECT '${of}', ${values.join(', ')}, false, now64(6, 'UTC') FROM (${validRowsSql(numbered)}) ${KEEP_ALL}`),
  );
}

/** Records a conflict for each identifier that occurs more than once with different values. */
export async function storeRepeated(nodes: ClusterNodes, staging: Staging): Promise<void> {
  await awaitReplication(nodes, [stagedDirectory(nodes.topology, staging).table]);
  await nodes.engine.execute(
    plainStatement(`INSERT INTO ${staging.conflicts} SELECT id, 'repeated' FROM ${stagedEntries(staging)}
GROUP BY id HAVING uniqExact(name, ifNull(url, ''), ifNull(status, ''), ifNull(category, '')) > 1`),
  );
}

/** Stages the removal of those programs, publishers or supports that the import lacks. Returns their number. */
export async function stageRemovals(
  nodes: ClusterNodes,
  staging: Staging,
  of: DirectoryName,
): Promise<number> {
  const staged = stagedEntries(staging);
  const others = `FROM ${DIRECTORY} FINAL
WHERE kind = '${of}' AND NOT is_removed AND id GLOBAL NOT IN (SELECT id FROM ${staged} WHERE NOT is_removed)`;
  const count = plainStatement(`SELECT count() AS removed ${others}`);
  const [found] = await nodes.engine.rows(select(v.object({ removed: INTEGER }), count));
  const removed = found?.removed ?? 0;
  if (removed === 0) return 0;
  await nodes.engine.execute(
    plainStatement(`INSERT INTO ${staged} (${COLUMNS})
SELECT kind, id, '', NULL, NULL, NULL, true, now64(6, 'UTC') ${others} ${KEEP_ALL}`),
  );
  await awaitReplication(nodes, [stagedDirectory(nodes.topology, staging).table]);
  return removed;
}
