/** Damages parts of a table, as a power cut or a bad sector does, so that the engine sets them aside at its start. */

import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { openChdb } from '../../../src/engine/chdb/open-chdb.ts';
import { select } from '../../../src/plan/select.ts';
import { plainStatement } from '../../../src/plan/sql.ts';

/** Damages the newest parts, or all of them. No process may have the database open. */
export async function damageParts(
  directory: string,
  table: string,
  howMany = Number.POSITIVE_INFINITY,
): Promise<void> {
  const engine = await openChdb(directory);
  const parts = plainStatement(`SELECT path FROM system.parts
WHERE database = currentDatabase() AND table = '${table}' AND active ORDER BY max_block_number DESC`);
  const found = await engine.rows(select(v.object({ path: v.string() }), parts));
  await engine.close();
  for (const { path } of found.slice(0, howMany)) await truncate(join(path, 'checksums.txt'), 3);
}
