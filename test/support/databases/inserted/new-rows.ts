/** Makes new transactions visible without an import, which takes three times as long. */

import { publishUnderNewNumber } from '../../../../src/ingest/staging/publication-number.ts';
import { newBatch } from '../../../../src/ingest/staging/staged-changes.ts';
import { bind, plainStatement, raw, sql, statementOf } from '../../../../src/plan/sql.ts';
import { clusterNodesOf } from '../../../../src/schema/cluster-nodes.ts';
import type { TestService } from '../../requests/service.ts';
import { type FileRow, ndjson } from '../../rows/file-rows.ts';
import { IS_FULL } from '../../run/test-extent.ts';

/**
 * Adds transactions that the embedded database of a service does not have yet, for tests of what follows an import.
 *
 * They are stored and published like those of an import, but neither checked nor staged, nor added to the lists of
 * programs and publishers. A full run imports them.
 */
export async function addNewRows(service: TestService, rows: readonly FileRow[]): Promise<void> {
  if (IS_FULL) {
    await service.importText(ndjson(rows));
    return;
  }
  const nodes = await clusterNodesOf(service.database.engine, service.database.topology);
  const batch = await newBatch(nodes);
  const columns = raw([...new Set(rows.flatMap(Object.keys))].join(', '));
  const text = bind('String', ndjson(rows));
  await nodes.engine.execute(
    statementOf(sql`INSERT INTO transactions (${columns})
SELECT ${columns} FROM format(JSONEachRow, ${text})
SETTINGS input_format_try_infer_datetimes = 0, input_format_try_infer_dates = 0`),
  );
  const ids = rows.map(({ transaction_id }) => transaction_id).join(', ');
  await nodes.engine.execute(
    plainStatement(`INSERT INTO changes
SELECT ${batch}, publisher_id, transaction_id, program_id, type, created_at, updated_at, 0
FROM transactions WHERE transaction_id IN (${ids})`),
  );
  await publishUnderNewNumber(nodes, { id: `batch ${batch}`, batch });
  await service.monthCache?.settled();
}
