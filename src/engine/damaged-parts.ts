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
  /** Why the engine has set it aside, such as `broken-on-start`. */
  reason: v.string(),
});

/** A part that the engine has set aside, for example after a power cut. No statement reads its rows any more. */
export type DamagedPart = Readonly<v.InferOutput<typeof DAMAGED_PART>>;

const DAMAGED_PARTS = select(
  DAMAGED_PART,
  plainStatement(`SELECT table, ifNull(partition_id, '') AS partition, name, path, reason FROM system.detached_parts
WHERE database = currentDatabase() AND reason LIKE '%broken%' ORDER BY table, partition, name`),
);

/** The reason for older parts that a damaged one had replaced. Their rows are not lost in addition to its rows. */
const REPLACED = 'covered-by-broken';

const isLost = ({ reason }: DamagedPart): boolean => reason !== REPLACED;

/** The damaged parts of one server, and older parts that these had replaced. */
export const damagedParts = async (server: Reader): Promise<readonly DamagedPart[]> =>
  await server.rows(DAMAGED_PARTS);

/**
 * The parts whose rows are lost. Servers are monitored by their administrators, and the user who serves may not read
 * the list.
 */
export const embeddedDamage = async (engine: Engine): Promise<readonly DamagedPart[]> =>
  isExclusive(engine) ? (await damagedParts(engine)).filter(isLost) : [];

/** A damaged part, and the host and port of its server if it is not on this machine. */
type PlacedPart = DamagedPart & { readonly host?: string | undefined };

/** What is damaged, one sentence for each kind of files. */
export function damageText(parts: readonly PlacedPart[]): string {
  const lost = parts.filter(isLost);
  const replaced = parts.filter((part) => !isLost(part));
  return [
    lost.length > 0 &&
      `The engine has set aside damaged files, and reads no rows from them: ${placesOf(lost)}.`,
    replaced.length > 0 &&
      `The engine has set aside older files that damaged files had replaced: ${placesOf(replaced)}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

const placesOf = (parts: readonly PlacedPart[]): string =>
  parts
    .map(({ table, partition, path, host }) => {
      const month = /^(\d{4})(\d{2})$/.exec(partition);
      const place = `table ${table}${month ? `, month ${month[1]}-${month[2]}` : ''}`;
      return `${place} (${host === undefined ? '' : `on ${host}, `}${path})`;
    })
    .join('; ');

export const DAMAGE_REMEDY =
  'Restore a backup, or import the files of these months again and then delete the named directories.';

/** A replica that misses a part fetches it from another one. */
export const REPLICA_REMEDY =
  'The server fetches lost rows from another replica. Check that it has all rows of these months, then delete the named directories.';

/** What an operator should know and do. Undefined if nothing is damaged. */
export const damageNotice = (parts: readonly DamagedPart[]): string | undefined =>
  parts.length === 0 ? undefined : `${damageText(parts)} ${DAMAGE_REMEDY}`;
