/**
 * Publishes the transactions of an erasure with empty personal fields, atomically like an import.
 *
 * The emptied versions keep `updated_at`. Among versions with the same date, readers see the one that was
 * stored last, which is the emptied one. An import of a newer version still replaces it.
 */

import { PERSONAL_FIELDS, STORED_FIELDS } from '../contract/record/fields.ts';
import { openStaging } from '../ingest/staging/open-staging.ts';
import { publish } from '../ingest/staging/publishing.ts';
import { newBatch, writeAllChanges } from '../ingest/staging/staged-changes.ts';
import { dropStaging, stagingOf } from '../ingest/staging/staging.ts';
import { writeTombstones } from '../ingest/staging/tombstones.ts';
import { plainStatement } from '../plan/sql.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { erasedPredicate } from './erased-keys.ts';

const SETTINGS = [
  'do_not_merge_across_partitions_select_final = 1',
  'max_partitions_per_insert_block = 0',
  'max_insert_threads = 1',
  'min_insert_block_size_rows = 49152',
  'min_insert_block_size_bytes = 0',
  'optimize_on_insert = 0',
];

export async function publishEmptied(
  nodes: ClusterNodes,
  id: string,
  months: readonly number[],
): Promise<void> {
  const staging = stagingOf(id);
  // A process that died may have left these tables.
  await dropStaging(nodes, staging);
  await openStaging(nodes, staging);
  await nodes.engine.execute(plainStatement(emptied(staging.transactions, id, months)));
  const batch = await newBatch(nodes);
  await writeTombstones(nodes, staging);
  const staged = await writeAllChanges(nodes, staging, batch);
  await publish(nodes, staging, async () => staged);
  await dropStaging(nodes, staging);
}

function emptied(to: string, id: string, months: readonly number[]): string {
  const fields = STORED_FIELDS.filter((field) => !PERSONAL_FIELDS.includes(field));
  const columns = ['type', ...fields.map(({ name }) => name)].join(', ');
  return `INSERT INTO ${to} (${columns})
SELECT ${columns} FROM transactions FINAL
WHERE toYYYYMM(created_at) IN (${months.join(', ')}) AND ${erasedPredicate(id)}
SETTINGS ${SETTINGS.join(', ')}`;
}
