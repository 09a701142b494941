/** Inserts many rows without an import: enough for long downloads, in a second or two. */

import { openChdb } from '../../../../src/engine/chdb/open-chdb.ts';
import type { Engine } from '../../../../src/engine/engine.ts';
import { plainStatement } from '../../../../src/plan/sql.ts';
import { newDatabase, putCopy } from '../copied-database.ts';

/** The query that selects all sales that `insertManySales` inserts. */
export const MANY_SALES = 'type=sales&start_date=2026-03-01&end_date=2026-03-01';

/**
 * Inserts sales. Their identifiers count from 0 in the order of the response, and their publishers, from 100
 * on, take turns. Each record has about 750 bytes.
 */
export async function insertManySales(engine: Engine, rows: number, publishers = 1): Promise<void> {
  // All sales are within 40,000 seconds after 00:00 UTC on 1 March 2026, so that the day is the same in Paris.
  const instant = `toDateTime(1772323200 + intDiv(number * 40000, ${rows}), 'UTC')`;
  // Random text as long as the parameters of a URL, so that the rows compress no better than real ones.
  const noise = 'arrayStringConcat(arrayMap(part -> hex(sipHash64(number, part)), range(6)))';
  const referer = `concat('https://shop.example/', ${noise})`;
  await engine.execute(
    plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, referer, created_at, updated_at)
SELECT 'sales', number, 10, 100 + number % ${publishers}, 1, 2, ${referer}, ${instant}, ${instant} FROM numbers(${rows})
SETTINGS max_insert_threads = 1`),
  );
}

/** Creates embedded databases with these sales. They are inserted once in a run of the tests, and copied. */
export const databaseWithManySales =
  (rows: number, publishers = 1): typeof newDatabase =>
  async (directory, timeZone) =>
    await putCopy(`sales-${rows}-${publishers}-${timeZone}`, directory, async (draft) => {
      await newDatabase(draft, timeZone);
      const engine = await openChdb(draft);
      await insertManySales(engine, rows, publishers);
      await engine.close();
    });
