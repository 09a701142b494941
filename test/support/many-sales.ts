/** Many rows, put into the tables past the import: a table big enough for long downloads in a second or two. */

import { command } from '../../src/plan/sql.ts';
import type { Engine } from '../../src/store/engine.ts';

/** The question whose answer is all of them. */
export const MANY_SALES = 'type=sales&start_date=2026-03-01&end_date=2026-03-01';

/** Identifiers from 0 on in the order of the answer, all of publisher 100; each record has about 750 bytes. */
export async function insertManySales(engine: Engine, rows: number): Promise<void> {
  // From 01:00 on in Paris, in at most 40,000 seconds.
  const instant = `toDateTime(1772323200 + intDiv(number * 40000, ${rows}), 'UTC')`;
  const referer = "concat('https://shop.example/', repeat(hex(sipHash64(number)), 6))";
  await engine.execute(
    command(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, referer, created_at, updated_at)
SELECT 'sales', number, 10, 100, 1, 2, ${referer}, ${instant}, ${instant} FROM numbers(${rows})
SETTINGS max_insert_threads = 1`),
  );
}
