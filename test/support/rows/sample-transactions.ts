/** Transactions of all kinds as rows of a file, and the expected records of each role. */

import { KINDS, type Kind } from '../../../src/contract/record/kinds.ts';
import type { Role } from '../../../src/contract/record/records.ts';
import { applicableTo, type FileRow, fileRow } from './file-rows.ts';
import { SPECIFIED } from './specification.ts';

/** A value for every field, with texts that are awkward in some format. */
const FULL: FileRow = {
  invoice_id: 'INV "7"; 2026',
  payment_id: '0042',
  remu_program: 12.345678,
  remu_publisher: -0.000001,
  ip_address: '2001:db8::1',
  pid: 'two\nlines, and a comma',
  clickid: 'c\\N\\1',
  subid: 'é 👍 \u2028',
  token: "'quoted'",
  total: 9_007_199_254_740_991,
  orderid: 0,
  userid: 12,
  target: ' basket ',
  amount: 123456789.25,
  coupon: 'A\tB',
  share: 3,
  share_label: 'last click',
  first_click: '2025-12-31 23:59:59',
  last_click: '2026-01-01 00:00:00',
  first_referer: 'https://one.example/?a=1&b=2',
  last_referer: 'https://two.example/#"',
  country: 'fr',
  device_type: 'mobile',
  device_os: 'Android',
  browser: 'null',
  referer: 'https://three.example/</script>',
};

/** For each kind, a full row of each status and a minimal row, over three months. */
export const SAMPLE: readonly FileRow[] = KINDS.flatMap((type, at) => [
  ...['2026-01-31 23:59:59', '2026-02-01 00:00:00', '2026-07-15 12:00:00'].map(
    (created_at, status) =>
      fileRow({
        type,
        created_at,
        status,
        publisher_id: 100 + (at % 3),
        ...applicableTo(type, FULL),
        validation_date: status === 1 ? '2026-08-01 08:09:10' : null,
      }),
  ),
  fileRow({ type, created_at: '2026-03-01 00:00:00', publisher_id: 103 }),
]);

const LABELS = ['Refusé', 'Validé', 'En attente'];

/** The expected records of a role, in the order of the response. */
export function expectedRecords(role: Role, kind: Kind, rows: readonly FileRow[]) {
  return rows
    .filter((row) => row.type === kind)
    .sort((one, other) => sortKey(one).localeCompare(sortKey(other)))
    .map((row) =>
      Object.fromEntries(SPECIFIED[role].map(([name]) => [name, recordedValue(row, name)])),
    );
}

const sortKey = (row: FileRow): string =>
  `${row.created_at} ${String(row.transaction_id).padStart(16, '0')}`;

function recordedValue(row: FileRow, name: string): string | number | null {
  if (name === 'remuneration') return row.remu_publisher ?? null;
  if (name === 'status') return String(row.status);
  if (name === 'status_label') return LABELS[Number(row.status)] ?? '';
  if (name === 'country') return typeof row.country === 'string' ? row.country.toUpperCase() : null;
  return row[name] ?? null;
}
