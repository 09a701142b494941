/** Counts of visible rows and of tables that imports left behind. */

import * as v from 'valibot';
import type { Reader } from '../../../src/engine/engine.ts';
import { INTEGER, select } from '../../../src/plan/select.ts';
import { plainStatement } from '../../../src/plan/sql.ts';

const VISIBLE_COUNTS = v.object({
  /** Transactions in the table of each role. */
  admin: INTEGER,
  affiliate: INTEGER,
  /** Tables that imports left behind. */
  left: v.array(v.string()),
});

export type VisibleCounts = v.InferOutput<typeof VISIBLE_COUNTS>;

export async function visibleCounts(reader: Reader): Promise<VisibleCounts> {
  const statement = plainStatement(`SELECT (SELECT count() FROM transactions FINAL) AS admin,
  (SELECT count() FROM affiliate_transactions FINAL) AS affiliate,
  (SELECT groupArray(name) FROM system.tables WHERE name LIKE 'import\\\\_%') AS left`);
  const [counts] = await reader.rows(select(VISIBLE_COUNTS, statement));
  if (counts === undefined) throw new Error('The database gives no counts.');
  return counts;
}
