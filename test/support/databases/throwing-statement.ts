/** Statements that fail in the engine, for tests of interrupted responses. */

import type { Statement } from '../../../src/plan/sql.ts';

/** The statement, changed so that the engine fails each time at the given row. */
export const throwingAt = (row: number, statement: Statement): Statement => ({
  ...statement,
  text: statement.text.replace('ORDER BY', `AND throwIf(transaction_id = ${row}) = 0 ORDER BY`),
});
