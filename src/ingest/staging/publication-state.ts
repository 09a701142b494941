/** The table of imports: which are complete, and which are wholly visible. */

import * as v from 'valibot';
import type { Engine } from '../../engine/engine.ts';
import { select } from '../../plan/select.ts';
import { command } from '../../plan/sql.ts';
import type { ClusterNodes } from '../../schema/cluster-nodes.ts';

const PUBLICATION_STATES = ['publishing', 'done'] as const;

export type PublicationState = (typeof PUBLICATION_STATES)[number];

/** Marks an import or another publication. From the mark `publishing` on, it is complete. */
export async function markPublication(
  { engine }: ClusterNodes,
  { id }: { readonly id: string },
  state: PublicationState,
): Promise<void> {
  await engine.execute(command(`INSERT INTO imports SELECT '${id}', '${state}', now64(3, 'UTC')`));
}

/**
 * The ids of imports that are becoming visible, or were interrupted while they did, the earliest first: those
 * that were marked as complete at least so many seconds ago.
 */
export async function publishingImports(engine: Engine, seconds = 0): Promise<ReadonlySet<string>> {
  const statement =
    command(`SELECT id FROM (SELECT id, min(at) AS marked FROM imports WHERE state = 'publishing' GROUP BY id)
WHERE id IN (SELECT id FROM imports FINAL WHERE state = 'publishing') AND marked <= now64(3, 'UTC') - ${seconds}
ORDER BY marked, id`);
  const found = await engine.rows(select(v.object({ id: v.string() }), statement));
  return new Set(found.map(({ id }) => id));
}

/** Whether an import was marked as complete, and whether it is wholly visible; undefined if it was not marked. */
export async function publicationState(
  engine: Engine,
  { id }: { readonly id: string },
): Promise<PublicationState | undefined> {
  const row = v.object({ state: v.picklist(PUBLICATION_STATES) });
  const statement = command(`SELECT state FROM imports FINAL WHERE id = '${id}'`);
  return (await engine.rows(select(row, statement)))[0]?.state;
}
