/**
 * The setting for IP addresses that the stored records were rendered with, in the table `keys`.
 *
 * It is pending while records are rendered again. A killed process leaves it pending.
 */

import * as v from 'valibot';
import {
  type AddressVisibility,
  ALL_FULL,
  VISIBILITIES,
} from '../contract/record/address-visibility.ts';
import type { Engine, Reader } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, command, sql, statementOf } from '../plan/sql.ts';

const NAME = 'ip_addresses';

export interface StoredVisibility {
  readonly visibility: AddressVisibility;
  /** Whether some records may still show what an earlier setting allowed. */
  readonly isPending: boolean;
}

const VISIBILITY = v.picklist(VISIBILITIES);

export const STORED_VISIBILITY = v.object({
  visibility: v.object({ admin: VISIBILITY, affiliate: VISIBILITY }),
  isPending: v.boolean(),
}) satisfies v.GenericSchema<unknown, StoredVisibility>;

const STORED = v.pipe(v.string(), v.parseJson(), STORED_VISIBILITY);

/** The setting of a database with tables; a database from before the setting shows full addresses. */
export async function storedVisibility(reader: Reader): Promise<StoredVisibility> {
  const value = command(`SELECT value FROM keys FINAL WHERE name = '${NAME}'`);
  const rows = await reader.rows(select(v.object({ value: STORED }), value));
  return rows[0]?.value ?? { visibility: ALL_FULL, isPending: false };
}

export async function storeVisibility(engine: Engine, stored: StoredVisibility): Promise<void> {
  const newest = command(`SELECT max(precedence) AS newest FROM keys WHERE name = '${NAME}'`);
  const [row] = await engine.rows(select(v.object({ newest: INTEGER }), newest));
  const value = bind('String', JSON.stringify(stored));
  await engine.execute(
    statementOf(sql`INSERT INTO keys
SELECT ${bind('String', NAME)}, ${value}, ${bind('UInt64', (row?.newest ?? 0) + 1)}`),
  );
}
