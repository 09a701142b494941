/** Rows with recognizable values that an affiliate must never see. */

import { LIST_PARAMETERS } from '../../../src/contract/query/parameters.ts';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import { applicableTo, type FileRow, fileRow } from '../rows/file-rows.ts';

/** The websites of the affiliate. */
export const OWN: readonly number[] = [100, 101];

/** A website of somebody else. */
export const FOREIGN = 777_000_000_001;
/** A program in which only the other website takes part. */
export const FOREIGN_PROGRAM = 777_000_000_002;

/** Values of the affiliate's rows that only an administrator may see. */
const ADMIN_SECRETS: FileRow = {
  invoice_id: 'ADMIN-SECRET',
  pid: 'ADMIN-SECRET',
  remu_program: '888000000001.25',
  orderid: 888_000_000_002,
  userid: 888_000_000_003,
  target: 'ADMIN-SECRET',
  amount: '888000000004.5',
  coupon: 'ADMIN-SECRET',
  share: 888_000_000_005,
  share_label: 'ADMIN-SECRET',
  first_click: '1988-08-08 08:08:08',
  last_click: '1988-08-08 08:08:08',
  first_referer: 'ADMIN-SECRET',
  last_referer: 'ADMIN-SECRET',
  referer: 'ADMIN-SECRET',
};

/** Values of another website's row. */
const FOREIGN_SECRETS: FileRow = {
  program_id: FOREIGN_PROGRAM,
  publisher_id: FOREIGN,
  support_id: 777_000_000_003,
  payment_id: 'FOREIGN-SECRET',
  remu_publisher: '777000000004.75',
  ip_address: '203.0.113.77',
  clickid: 'FOREIGN-SECRET',
  country: 'JP',
  status: 0,
  subid: 'FOREIGN-SECRET',
  token: 'FOREIGN-SECRET',
  device_type: 'FOREIGN-SECRET',
  device_os: 'FOREIGN-SECRET',
  browser: 'FOREIGN-SECRET',
};

export const SECRET = /SECRET|777000000|888000000|1988-08-08|203\.0\.113\.77/;

/** Internals that a response must not reveal: the engine, its statements, the code. */
export const INTERNALS =
  /exception|clickhouse|chdb|engine|\bcode: \d|select |record_head|affiliate_transactions|\bFINAL\b|stack|\.ts\b|node_modules|node:/i;

/** Gives one sale of the affiliate the documented example of `transaction_id`. */
const exampleOf = (type: string, publisherId: number): FileRow =>
  type === LIST_PARAMETERS.type.example && publisherId === OWN[0]
    ? { transaction_id: Number(LIST_PARAMETERS.transaction_id.example) }
    : {};

/** One row of each kind for each website, created on the same day in January 2026. */
export const rowsWithSecrets = (): readonly FileRow[] =>
  KINDS.flatMap((type) =>
    [
      ...OWN.map((publisher_id) => ({
        ...ADMIN_SECRETS,
        ...exampleOf(type, publisher_id),
        publisher_id,
        token: 'mine',
      })),
      { ...ADMIN_SECRETS, ...FOREIGN_SECRETS },
    ].map((given) => ({ ...fileRow({ type }), ...applicableTo(type, given) })),
  );
