/** Finds damaged parts: directories with files of some rows that the engine cannot read. */

import * as v from 'valibot';
import { select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { type Engine, isExclusive, type Reader } from './engine.ts';

export const DAMAGED_PART = v.object({
  table: v.string(),
  /** Such as `202603` in tables that are partitioned by month. */
  partition: v.string(),
  name: v.string(),
  path: v.string(),
});

/** A part that the engine has set aside, for example after a power cut. No statement reads its rows any more. */
export type DamagedPart = Readonly<v.InferOutput<typeof DAMAGED_PART>>;

const DAMAGED_PARTS = select(
  DAMAGED_PART,
  plainStatement(`SELECT table, ifNull(partition_id, '') AS partition, name, path FROM system.detached_parts
WHERE database = currentDatabase() AND reason LIKE '%broken%' ORDER BY table, partition, name`),
);

/** The damaged parts of one server. */
export const damagedParts = async (server: Reader): Promise<readonly DamagedPart[]> =>
  await server.rows(DAMAGED_PARTS);

/** Servers are monitored by their administrators, and the user who serves may not read the list. */
export const embeddedDamage = async (engine: Engine): Promise<readonly DamagedPart[]> =>
  isExclusive(engine) ? await damagedParts(engine) : [];

/** What is damaged, as one sentence. */
export function damageText(parts: readonly DamagedPart[]): string {
  const places = parts.map(({ table, partition, path }) => {
    const month = /^(\d{4})(\d{2})$/.exec(partition);
    return `table ${table}${month ? `, month ${month[1]}-${month[2]}` : ''} (${path})`;
  });
  return `The engine has set aside damaged files, and reads no rows from them: ${places.join('; ')}.`;
}

export const DAMAGE_REMEDY =
  'Restore a backup, or import the files of these months again and then delete the damaged ones.';

/** What an operator should know and do. Undefined if nothing is damaged. */
export const damageNotice = (parts: readonly DamagedPart[]): string | undefined =>
  parts.length === 0 ? undefined : `${damageText(parts)} ${DAMAGE_REMEDY}`;
