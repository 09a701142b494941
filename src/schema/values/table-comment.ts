/** Reads the comment of a table, where the schema keeps a hash of what the table was made from. */

import * as v from 'valibot';
import type { Engine } from '../../engine/engine.ts';
import { select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';

/** Undefined if there is no such table. */
export async function tableComment(server: Engine, table: string): Promise<string | undefined> {
  const comment = plainStatement(`SELECT comment FROM system.tables
WHERE database = currentDatabase() AND name = '${table}'`);
  const rows = await server.rows(select(v.object({ comment: v.string() }), comment));
  return rows[0]?.comment;
}
