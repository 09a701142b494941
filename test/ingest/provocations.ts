/** Values for which rows are refused, by reason. */

import type { Reason } from '../../src/ingest/checks/reasons.ts';
import type { FileRow } from '../support/rows/file-rows.ts';

export interface Provocation {
  readonly column: string;
  /** Each of these values is wrong for this reason. */
  readonly values: readonly (string | number)[];
  /** Other values of the row. */
  readonly beside?: FileRow;
}

const HAS_UPDATE: FileRow = { updated_at: '2026-01-15 12:00:00' };

/** For each reason, single values that are refused. test/ingest/dialect has files with other notations. */
// biome-ignore format: as many values a line as it holds
export const PROVOKED: { readonly [reason in Reason]?: readonly Provocation[] } = {
  missing: [
    { column: 'type', values: ['', 'NULL', '\\N'] },
    { column: 'transaction_id', values: ['', 'NULL'] },
    { column: 'program_id', values: [''] },
    { column: 'publisher_id', values: [''] },
    { column: 'support_id', values: [''] },
    { column: 'status', values: ['\\N'] },
    { column: 'created_at', values: [''], beside: HAS_UPDATE },
    { column: 'updated_at', values: ['NULL'] },
  ],
  not_a_kind: [{ column: 'type', values: ['sale', 'SALES', ' sales', 'clicks'] }],
  not_an_integer: [
    { column: 'orderid', values: ['9007199254740992', '18446744073709551616', '-1', '+1', '1.0', '1e3', '12a', '0x1', '１'] },
    { column: 'transaction_id', values: ['null', '"'] },
    { column: 'program_id', values: ['1\n', '1\0'] },
  ],
  not_a_decimal: [
    { column: 'amount', values: ['1e3', '.5', '5.', '+1', '1000000000000', '-', 'NaN', '1.2.3'] },
    { column: 'remu_program', values: ['0x1F', '1.5\n', '--1'] },
  ],
  too_many_decimals: [
    { column: 'remu_publisher', values: ['0.1234567', '1.0000001', '-0.0000009', `0.${'0'.repeat(40)}1`] },
  ],
  not_a_date: [
    { column: 'created_at', beside: HAS_UPDATE, values: [
      '2026-02-30 00:00:00', '2026-02-29 00:00:00', '2026-13-01 00:00:00', '2026-00-10 00:00:00',
      '2026-01-01 24:00:00', '2026-01-01 23:60:00', '2026-01-01 23:59:60',
      '1767225600', '1969-12-31 23:59:59', '1970-01-01 00:30:00',
      '2106-02-07 07:28:16', '2206-01-01 00:00:00', '2026-01-01 00:00:00+01',
      '2026-01-01T00:00:00+15:00', '2026-01-01T00:00:00+01:60', '1970-01-01T00:00:00+00:01',
      `2026-01-01 00:00:00.${'0'.repeat(20)}`, '2106-02-07T06:28:15Z', '2106-02-07T06:28:15-00:01', '2026-01-01 00:00:00 ', 'yesterday',
    ] },
    { column: 'last_click', values: ['0000-00-00 00:00:00'] },
  ],
  has_fraction: [
    { column: 'first_click', values: ['2026-01-15 10:00:00.5', '2026-01-15T10:00:00.000001+01:00'] },
  ],
  skipped_by_the_clock: [
    { column: 'first_click', values: ['2026-03-29 02:30:00', '2026-03-29 02:00:00'] },
  ],
  not_an_address: [
    { column: 'ip_address', values: ['1.2.3', '256.1.1.1', '1.2.3.4/8', '1.2.3.4:80', '001.2.3.4', 'localhost', '1:2:3:4:5:6:7:8:9', '1.2.3.4\0', '1.2.3.4\n'] },
  ],
  not_a_country: [{ column: 'country', values: ['FRA', 'F', 'UK', 'XX', 'France', '33'] }],
  not_a_status: [{ column: 'status', values: ['3', '-1', '01', 'valid', '1.0'] }],
  no_meaning: [
    { column: 'total', values: ['1', 'x'] },
    { column: 'orderid', values: ['1'], beside: { type: 'clics' } },
    { column: 'amount', values: ['1.5'], beside: { type: 'leads' } },
    { column: 'target', values: ['cart'], beside: { type: 'impressions' } },
    { column: 'first_click', values: ['2026-01-01 00:00:00'], beside: { type: 'leads' } },
  ],
  validation_date_missing: [
    { column: 'validation_date', values: ['', 'NULL'], beside: { status: 1 } },
  ],
  validation_date_unexpected: [
    { column: 'validation_date', values: ['2026-01-01 00:00:00'], beside: { status: 0 } },
    { column: 'validation_date', values: ['2026-01-01 00:00:00'], beside: { status: 2 } },
  ],
};
