/** Writes to the change feed which months retention has removed: one change for each type of transactions. */

import { KINDS } from '../contract/record/kinds.ts';
import type { KeptFrom } from '../contract/record/retention.ts';
import { ANY_ROW, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { publishUnderNewNumber } from './staging/publication-number.ts';
import { newBatch } from './staging/staged-changes.ts';

const idOf = (kept: KeptFrom): string =>
  `removed before ${KINDS.flatMap((kind) => (kept[kind] === undefined ? [] : [`${kind}=${kept[kind]}`])).join(' ')}`;

/** Whether the change feed has the removal. A process that died may have removed rows without announcing it. */
export async function isRemovalPublished(
  { engine }: ClusterNodes,
  kept: KeptFrom,
): Promise<boolean> {
  if (Object.keys(kept).length === 0) return true;
  const text = `SELECT 1 FROM publications WHERE id = '${idOf(kept)}' AND state = 'published'`;
  return (await engine.rows(select(ANY_ROW, plainStatement(text)))).length > 0;
}

export async function publishRemoval(nodes: ClusterNodes, kept: KeptFrom): Promise<void> {
  const batch = await newBatch(nodes);
  for (const [at, kind] of KINDS.entries()) {
    const month = kept[kind];
    if (month === undefined) continue;
    await nodes.engine.execute(
      plainStatement(
        `INSERT INTO changes SELECT ${batch}, 0, ${at}, 0, '${kind}', toDateTime(0), toDateTime(0), ${month}`,
      ),
    );
  }
  await publishUnderNewNumber(nodes, { id: idOf(kept), batch });
}
