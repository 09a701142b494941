/** Random rows of import files with everything that summaries and performance add up or group by. */

import { fc } from '../run/properties.ts';
import { SEED } from '../run/test-extent.ts';
import { applicableTo, type FileRow, fileRow } from './file-rows.ts';
import { transactions, writtenDate } from './random/random-transactions.ts';

/** An amount with up to six decimal places, or null. */
const amountOf = (number: number): number | null =>
  number % 7 === 0 ? null : ((number * 7_919) % 99_999_999) / 10 ** (number % 7);

/** At most `count` rows, whose dates are written for a platform in the time zone. */
export function rowsWithSums(count: number, zone: string): readonly FileRow[] {
  const sampled = fc.sample(transactions, { numRuns: count, seed: SEED });
  const rows = [...new Map(sampled.map((row) => [row.transaction_id, row])).values()];
  return rows.map(({ instant, updated, validated, ...row }, at) => {
    const applicable = applicableTo(row.type, {
      total: at % 5 === 0 ? null : (at * 7_919) % 1_000_003,
      remu_program: amountOf(at),
      remu_publisher: amountOf(at + 1),
      amount: amountOf(at + 2),
      coupon: ['WINTER', 'it\'s "10 %"', null][at % 3] ?? null,
    });
    return fileRow({
      ...row,
      ...applicable,
      support_id: at % 4,
      payment_id: at % 5 === 0 ? `P-${at % 3}` : null,
      invoice_id: at % 7 === 0 ? `I-${at % 2}` : null,
      device_os: ['Android', 'iOS', null][at % 3] ?? null,
      browser: ['', 'Firefox', null][at % 3] ?? null,
      created_at: writtenDate(instant, zone, at),
      updated_at: writtenDate(updated, zone, at + 1),
      validation_date: validated === null ? null : writtenDate(validated, zone, at + 2),
    });
  });
}
