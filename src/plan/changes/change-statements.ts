/** The statements that read changes and their records. */

import * as v from 'valibot';
import { KINDS } from '../../contract/record/kinds.ts';
import { labelOf } from '../list-statement.ts';
import { rowPredicate, scopePredicate } from '../predicates.ts';
import { RECORD_KEY, TABLE_OF } from '../report-table.ts';
import { INTEGER, type Select, select } from '../select.ts';
import {
  bind,
  join,
  type RowStatement,
  raw,
  type Sql,
  type Statement,
  sql,
  statementOf,
} from '../sql.ts';
import type { ChangePlan } from './change-plan.ts';

/** The place of a change in the table of changes, which is sorted by these columns first. */
export interface ChangeKey {
  readonly batch: number;
  readonly publisherId: number;
  readonly transactionId: number;
}

/** The changes of `batches` with keys after `after`, up to and including `through`. */
export interface ChangeRange {
  readonly batches: readonly number[];
  readonly after: ChangeKey | undefined;
  readonly through: ChangeKey | undefined;
}

const PUBLISHER = v.object({ publisher: INTEGER });

/** The publishers that have changes in the given batches; 0 stands for changes that concern all publishers. */
export const changedPublishersStatement = (
  batches: readonly number[],
  limit: number,
): Select<v.InferOutput<typeof PUBLISHER>> =>
  select(
    PUBLISHER,
    statementOf(sql`SELECT DISTINCT publisher_id AS publisher FROM changes
WHERE batch IN ${bind('Array(UInt64)', batches)} LIMIT ${bind('UInt32', limit)}`),
  );

/** Bytes of a key in the response to `changeKeysStatement`. */
export const KEY_BYTES = 29;

/** Reads the keys of a page in order, and one more if others follow. Each has 29 bytes (see `changeKeysIn`). */
export const changeKeysStatement = (plan: ChangePlan, range: ChangeRange): Statement => ({
  ...statementOf(sql`SELECT reinterpretAsFixedString(batch), reinterpretAsFixedString(publisher_id),
  reinterpretAsFixedString(transaction_id), reinterpretAsFixedString(kept_from),
  reinterpretAsFixedString(toUInt8(type))
FROM changes
WHERE ${changesIn(plan, range)}
ORDER BY batch, publisher_id, transaction_id LIMIT ${bind('UInt32', plan.limit + 1)}`),
  priority: 'small',
});

/** A key as `changeKeysIn` returns it. */
export interface TypedChangeKey extends ChangeKey {
  readonly type: (typeof KINDS)[number];
  /** The first month of the type that retention kept, such as 202603; 0 for the change of one transaction. */
  readonly keptFrom: number;
}

export function* changeKeysIn(bytes: Buffer): Generator<TypedChangeKey> {
  for (let at = 0; at < bytes.length; at += KEY_BYTES) {
    const type = KINDS[bytes.readUInt8(at + 28) - 1];
    if (type === undefined) throw new TypeError('A change has an unknown type.');
    yield {
      batch: Number(bytes.readBigUInt64LE(at)),
      publisherId: Number(bytes.readBigUInt64LE(at + 8)),
      transactionId: Number(bytes.readBigUInt64LE(at + 16)),
      keptFrom: bytes.readUInt32LE(at + 24),
      type,
    };
  }
}

/**
 * Reads the present records of a range, framed as in lists.
 *
 * With `PREWHERE`, the engine reads the records only of rows with one of the keys. `PREWHERE` runs before
 * `FINAL`, so it compares only columns that are equal in all versions of a row.
 *
 * The dates of the keys are converted to the time zone of the table. Otherwise the engine computes their months in
 * another zone, and skips partitions that have the rows (ClickHouse #112966, fixed by #113781).
 */
export function changedRecordsStatement(plan: ChangePlan, range: ChangeRange): RowStatement {
  const table = TABLE_OF[plan.role];
  const label = labelOf(plan);
  const key = raw(RECORD_KEY[plan.role].join(', '));
  const statement =
    statementOf(sql`SELECT reinterpretAsFixedString(toUInt32(length(record_head) + length(label) + length(record_tail))),
  reinterpretAsFixedString(toUInt32(created_at)), reinterpretAsFixedString(toUInt64(transaction_id)),
  record_head, ${label} AS label, record_tail
FROM ${raw(table)} FINAL
PREWHERE (${key}) GLOBAL IN (SELECT ${key} FROM (
  SELECT publisher_id, transaction_id, toTimeZone(changes.created_at, ${bind('String', plan.timeZone)}) AS created_at
  FROM changes WHERE ${changesIn(plan, range)}))
WHERE ${rowPredicate(plan, plan.kinds, table)}`);
  return { ...statement, boundaries: 'framed', priority: 'small' };
}

/** The changes of a range that a plan selects. Those about removed months are for everybody and have publisher 0. */
function changesIn(plan: ChangePlan, { batches, after, through }: ChangeRange): Sql {
  const { publisherIds, programIds, kinds } = plan;
  const scopes = [
    ...scopePredicate('publisher_id', publisherIds),
    ...scopePredicate('program_id', programIds),
  ];
  const seen = publisherIds === 'all' ? 'all' : [0, ...publisherIds];
  return join(
    [
      sql`batch IN ${bind('Array(UInt64)', batches)}`,
      sql`type IN ${bind('Array(String)', kinds)}`,
      ...scopePredicate('publisher_id', seen),
      ...(scopes.length === 0 ? [] : [sql`(kept_from > 0 OR (${join(scopes, ' AND ')}))`]),
      ...(after === undefined ? [] : [compared('>', after, '>')]),
      ...(through === undefined ? [] : [compared('<', through, '<=')]),
    ],
    ' AND ',
  );
}

type Comparison = '>' | '<' | '<=';

/** Compares the columns one by one: for comparisons of tuples, the engine does not use its index. */
function compared(first: Comparison, key: ChangeKey, last: Comparison): Sql {
  const [batch, publisher, transaction] = [
    bind('UInt64', key.batch),
    bind('UInt64', key.publisherId),
    bind('UInt64', key.transactionId),
  ] as const;
  return sql`(batch ${raw(first)} ${batch} OR (batch = ${batch} AND (publisher_id ${raw(first)} ${publisher}
    OR (publisher_id = ${publisher} AND transaction_id ${raw(last)} ${transaction}))))`;
}
