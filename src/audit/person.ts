/** A person in the data, named by the value of a field, and the transactions with that value. */

import * as v from 'valibot';
import { KINDS } from '../contract/record/kinds.ts';
import type { Reader } from '../engine/engine.ts';
import { BY_PROGRAM, TABLE_OF } from '../plan/report-table.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, raw, type Sql, sql, statementOf } from '../plan/sql.ts';
import { UserError } from '../user-error.ts';

/** The names on the command line, the fields, and the types of their columns. */
export const PERSON_FIELDS = {
  ip: { field: 'ip_address', type: 'String' },
  clickid: { field: 'clickid', type: 'String' },
  subid: { field: 'subid', type: 'String' },
  userid: { field: 'userid', type: 'UInt64' },
  orderid: { field: 'orderid', type: 'UInt64' },
  transaction_id: { field: 'transaction_id', type: 'UInt64' },
} as const;

export type PersonKey = keyof typeof PERSON_FIELDS;

export const PERSON_KEYS = Object.keys(PERSON_FIELDS) as readonly PersonKey[];

export interface Person {
  readonly key: PersonKey;
  readonly value: string;
}

const TEXT = v.nullable(v.string());

const TRANSACTION = v.object({
  type: v.picklist(KINDS),
  transaction_id: v.string(),
  publisher_id: INTEGER,
  /** The present program, and former ones. */
  programs: v.array(INTEGER),
  /** Seconds since 1970. */
  created: INTEGER,
  updated: INTEGER,
  orderid: TEXT,
  clickid: TEXT,
  subid: TEXT,
  country: TEXT,
  device_type: TEXT,
});

export type PersonTransaction = v.InferOutput<typeof TRANSACTION>;

/** The maximum number of transactions of a person, because they are held in memory. */
const MAX_TRANSACTIONS = 100_000;

/** Scans the column of the field on all cores. Throws a UserError if too many transactions have the value. */
export async function findPersonTransactions(
  reader: Reader,
  { key, value }: Person,
): Promise<readonly PersonTransaction[]> {
  const { field } = PERSON_FIELDS[key];
  const found = sql`FROM ${raw(TABLE_OF.admin)} FINAL WHERE ${hasValue(key, value)}`;
  const statement =
    statementOf(sql`SELECT type, toString(transaction_id) AS transaction_id, any(publisher_id) AS publisher_id,
  groupUniqArray(program) AS programs, any(created) AS created, any(updated) AS updated,
  toString(any(orderid)) AS orderid, any(clickid) AS clickid, any(subid) AS subid, any(country) AS country, any(device_type) AS device_type
FROM (SELECT type, transaction_id, publisher_id, program_id AS program, toUnixTimestamp(created_at) AS created,
    toUnixTimestamp(updated_at) AS updated, orderid, clickid, subid, country, device_type ${found}
  UNION ALL SELECT type, transaction_id, publisher_id, program_id AS program, toUnixTimestamp(created_at) AS created,
    toUnixTimestamp(updated_at) AS updated, NULL, NULL, NULL, NULL, NULL
  FROM ${raw(BY_PROGRAM)} WHERE (type, transaction_id) GLOBAL IN (SELECT type, transaction_id ${found}))
GROUP BY type, transaction_id LIMIT ${raw(String(MAX_TRANSACTIONS + 1))}`);
  const rows = await reader.rows({ ...select(TRANSACTION, statement), isAggregation: true });
  if (rows.length <= MAX_TRANSACTIONS) return rows;
  throw new UserError(
    `More than ${MAX_TRANSACTIONS.toLocaleString('en')} transactions have this value of ${field}.`,
    'Search for the person by another field.',
  );
}

/** The same IP address can be written in several ways. */
function hasValue(key: PersonKey, value: string): Sql {
  const { field, type } = PERSON_FIELDS[key];
  if (key === 'ip') {
    return sql`toIPv6OrNull(${raw(field)}) = toIPv6OrNull(${bind('String', value)})`;
  }
  return sql`${raw(field)} = ${bind(type, type === 'UInt64' ? Number(value) : value)}`;
}
