/** The table of imports: which are complete, and which are wholly visible. */

import * as v from 'valibot';
import type { Engine } from '../../engine/engine.ts';
import { select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import type { ClusterNodes } from '../../schema/cluster-nodes.ts';

const IMPORT_STATES = ['publishing', 'done'] as const;

export type ImportState = (typeof IMPORT_STATES)[number];

/**
 * Marks an import, or another change that is published like one, such as an erasure. `publishing`: all its rows are
 * staged, so it will be finished even if this process dies. `done`: readers see all of them.
 */
export async function markImport(
  { engine }: ClusterNodes,
  { id }: { readonly id: string },
  state: ImportState,
): Promise<void> {
  await engine.execute(
    plainStatement(`INSERT INTO imports SELECT '${id}', '${state}', now64(3, 'UTC')`),
  );
}

/**
 * The ids of imports that are marked as complete but not yet wholly visible, in the order in which they were
 * marked.
 */
export async function publishingImports(engine: Engine): Promise<ReadonlySet<string>> {
  const statement =
    plainStatement(`SELECT id FROM (SELECT id, min(at) AS marked FROM imports WHERE state = 'publishing' GROUP BY id)
WHERE id IN (SELECT id FROM imports FINAL WHERE state = 'publishing')
ORDER BY marked, id`);
  const found = await engine.rows(select(v.object({ id: v.string() }), statement));
  return new Set(found.map(({ id }) => id));
}

/** Whether an import was marked as complete, and whether it is wholly visible; undefined if it was not marked. */
export async function importState(
  engine: Engine,
  { id }: { readonly id: string },
): Promise<ImportState | undefined> {
  const row = v.object({ state: v.picklist(IMPORT_STATES) });
  const statement = plainStatement(`SELECT state FROM imports FINAL WHERE id = '${id}'`);
  return (await engine.rows(select(row, statement)))[0]?.state;
}
