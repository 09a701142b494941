/** Writes to the change feed which months retention has removed: one change for each type of transactions. */

import { KINDS } from '../contract/record/kinds.ts';
import type { KeptFrom } from '../contract/record/retention.ts';
import { ANY_ROW, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { numberedFirstKeptMonths } from '../schema/values/kept-months.ts';
import type { NumberedValue } from '../schema/values/stored-value.ts';
import { publishUnderNewNumber } from './staging/publication-number.ts';
import { newBatch } from './staging/staged-changes.ts';

/** The number of the stored months tells a removal from earlier ones of the same months. */
function idOf({ value: kept, precedence }: NumberedValue<KeptFrom>): string {
  const months = KINDS.flatMap((kind) =>
    kept[kind] === undefined ? [] : [`${kind}=${kept[kind]}`],
  );
  return `removed before ${months.join(' ')} (${precedence})`;
}

/** Whether the change feed has the removal. A process that died may have removed rows without announcing it. */
export async function isRemovalPublished(
  { engine }: ClusterNodes,
  stored: NumberedValue<KeptFrom>,
): Promise<boolean> {
  if (Object.keys(stored.value).length === 0) return true;
  const text = `SELECT 1 FROM publications WHERE id = '${idOf(stored)}' AND state = 'published'`;
  return (await engine.rows(select(ANY_ROW, plainStatement(text)))).length > 0;
}

/** Announces the removal of what the stored months do not keep. */
export async function publishRemoval(nodes: ClusterNodes): Promise<void> {
  const stored = await numberedFirstKeptMonths(nodes.engine);
  const batch = await newBatch(nodes);
  for (const [at, kind] of KINDS.entries()) {
    const month = stored.value[kind];
    if (month === undefined) continue;
    await nodes.engine.execute(
      plainStatement(
        `INSERT INTO changes SELECT ${batch}, 0, ${at}, 0, '${kind}', toDateTime(0), toDateTime(0), ${month}`,
      ),
    );
  }
  await publishUnderNewNumber(nodes, { id: idOf(stored), batch });
}
