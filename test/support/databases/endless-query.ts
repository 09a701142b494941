/** A query that tests abort. */

import { plainStatement } from '../../../src/plan/sql.ts';
import { fullOrShort } from '../run/test-extent.ts';

/**
 * Runs for minutes and returns no row. In `npm test` it sleeps instead of computing, less than the three seconds that
 * ClickHouse allows for each block.
 */
export const ENDLESS = plainStatement(
  `SELECT toString(number) FROM numbers(1e12) WHERE ${fullOrShort('sipHash64(number)', 'sleepEachRow(0.00004)')} = 1`,
);
