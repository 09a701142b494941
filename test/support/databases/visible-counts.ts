/** What imports left in a database. */

import type { Reader } from '../../../src/engine/engine.ts';
import { command } from '../../../src/plan/sql.ts';

export interface VisibleCounts {
  /** Transactions that each audience's table shows. */
  readonly admin: number;
  readonly affiliate: number;
  /** Tables of imports that are still there. */
  readonly left: readonly string[];
}

export async function visibleCounts(reader: Reader): Promise<VisibleCounts> {
  const [counts] = (await reader.rows(
    command(`SELECT (SELECT count() FROM transactions FINAL) AS admin,
  (SELECT count() FROM affiliate_transactions FINAL) AS affiliate,
  (SELECT groupArray(name) FROM system.tables WHERE name LIKE 'import\\\\_%') AS left`),
  )) as VisibleCounts[];
  if (counts === undefined) throw new Error('The database gives no counts.');
  return counts;
}
