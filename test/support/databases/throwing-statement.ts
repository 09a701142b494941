/** Statements that the engine itself fails at, for tests of answers that break. */

import type { Statement } from '../../../src/plan/sql.ts';

/** The statement with an error in it that the engine meets at a row, as often as it comes there. */
export const throwingAt = (row: number, statement: Statement): Statement => ({
  ...statement,
  text: statement.text.replace('ORDER BY', `AND throwIf(transaction_id = ${row}) = 0 ORDER BY`),
});
