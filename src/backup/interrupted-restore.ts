/** Recognises a restore that was interrupted, so that nobody serves the empty database that it left. */

import * as v from 'valibot';
import { publishingImports } from '../ingest/staging/import-state.ts';
import { recoverStagings } from '../ingest/staging/recover-others.ts';
import { type Staging, stagingOf } from '../ingest/staging/staging.ts';
import { select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { UserError } from '../user-error.ts';

/** The last part of the name of a table that marks a restore. If the process is killed, the table stays. */
export const RESTORE_MARK = 'restore';

/**
 * Throws a UserError if a restore is running, or was interrupted before it became visible.
 *
 * A restore that was interrupted while it became visible is not refused, because it is finished like an import.
 */
export async function refuseInterruptedRestore(nodes: ClusterNodes): Promise<void> {
  const interrupted = await interruptedRestores(nodes);
  if (interrupted.length === 0) return;
  const publishing = await publishingImports(nodes.engine);
  if (interrupted.every(({ id }) => publishing.has(id))) return;
  throw new UserError(
    'A restore into this database is still running, or was interrupted. None of its rows are visible yet.',
    'If it is not running any more, run it again: transactions restore …',
  );
}

/** Finishes restores that were becoming visible. Removes the staging tables of all interrupted restores. */
export async function recoverRestores(nodes: ClusterNodes): Promise<void> {
  await recoverStagings(nodes, await interruptedRestores(nodes));
}

async function interruptedRestores({ servers }: ClusterNodes): Promise<readonly Staging[]> {
  const marks =
    plainStatement(`SELECT extract(name, '^import_([0-9a-f]+)_') AS id FROM system.tables
WHERE database = currentDatabase() AND match(name, '^import_[0-9a-f]+_${RESTORE_MARK}(_local)?$')`);
  const row = v.object({ id: v.string() });
  const found = await Promise.all(servers.map((server) => server.rows(select(row, marks))));
  return [...new Set(found.flat().map(({ id }) => id))].map(stagingOf);
}
