/** The statements of the change feed. */

import * as v from 'valibot';
import { KINDS } from '../../contract/record/kinds.ts';
import { rowPredicate, scopePredicate } from '../predicates.ts';
import { labelOf } from '../report-statement.ts';
import { TABLE_OF } from '../report-table.ts';
import { INTEGER, type Select, select } from '../select.ts';
import {
  bind,
  command,
  join,
  type RowStatement,
  raw,
  type Sql,
  type Statement,
  sql,
  statementOf,
} from '../sql.ts';
import type { ChangePlan } from './change-plan.ts';

/** A change in the order of the table. */
export interface ChangeKey {
  readonly batch: number;
  readonly publisherId: number;
  readonly transactionId: number;
}

/** The changes of some batches after one of them, up to another. */
export interface ChangeRange {
  readonly batches: readonly number[];
  readonly after: ChangeKey | undefined;
  readonly through: ChangeKey | undefined;
}

const HEAD = v.object({ origin: INTEGER, newest: INTEGER, restarted: INTEGER });

/** What readers may see of the order of imports. */
export type FeedHead = v.InferOutput<typeof HEAD>;

/** Greater than all numbers. */
const NO_NUMBER = '18446744073709551615';

/**
 * The first number of the database, the newest one below those that are announced, and the newest one
 * at which readers have to begin again.
 *
 * `seconds` is the age at which an announced number is ignored. Without it, all are: where only one
 * process writes, none is announced, and the statement takes a third of the time.
 */
export const headStatement = (seconds?: number): Select<FeedHead> =>
  select(
    HEAD,
    command(`SELECT min(number) AS origin, ${newestBelow(seconds)} AS newest,
  maxIf(number, state = 'restarted') AS restarted
FROM publications`),
  );

const newestBelow = (seconds: number | undefined): string =>
  seconds === undefined
    ? "maxIf(number, state != 'intended')"
    : `maxIf(number, state != 'intended' AND number < (SELECT min(lowest) FROM (${announced(seconds)})))`;

/** The announced numbers that were not taken yet. */
const announced = (seconds: number): string => `SELECT toUInt64(${NO_NUMBER}) AS lowest
UNION ALL
SELECT maxIf(number, state = 'intended') AS lowest FROM publications
WHERE at > now64(3, 'UTC') - INTERVAL ${seconds} SECOND
GROUP BY id HAVING lowest > maxIf(number, state != 'intended')`;

const PUBLICATION = v.object({ number: INTEGER, batch: INTEGER });

export type PublishedBatch = v.InferOutput<typeof PUBLICATION>;

/** The batches from a number up to another, in order; batch 0 where readers have to begin again. */
export const publicationsStatement = (
  from: number,
  through: number,
  limit: number,
): Select<PublishedBatch> =>
  select(
    PUBLICATION,
    statementOf(sql`SELECT DISTINCT number, batch FROM publications
WHERE state != 'intended' AND number >= ${bind('UInt64', from)} AND number <= ${bind('UInt64', through)}
ORDER BY number, batch LIMIT ${bind('UInt32', limit)}`),
  );

/** The last number at or before an instant, in microseconds; no row if there is none. */
export const lastNumberStatement = (instant: number): Select<{ readonly last: number }> =>
  select(
    v.object({ last: INTEGER }),
    statementOf(sql`SELECT max(number) AS last FROM publications
WHERE state != 'intended' AND number <= ${bind('UInt64', instant)} HAVING count() > 0`),
  );

const PUBLISHER = v.object({ publisher: INTEGER });

/** The publishers that have changes in some batches; 0 for changes that concern all. */
export const changedPublishersStatement = (
  batches: readonly number[],
  limit: number,
): Select<v.InferOutput<typeof PUBLISHER>> =>
  select(
    PUBLISHER,
    statementOf(sql`SELECT DISTINCT publisher_id AS publisher FROM changes
WHERE batch IN ${bind('Array(UInt64)', batches)} LIMIT ${bind('UInt32', limit)}`),
  );

/** Bytes of a key in the response of its statement. */
export const KEY_BYTES = 29;

/** Reads keys in order, each in 29 bytes (see `changeKeysIn`), one more than the page has. */
export const changeKeysStatement = (plan: ChangePlan, range: ChangeRange): Statement => ({
  ...statementOf(sql`SELECT reinterpretAsFixedString(batch), reinterpretAsFixedString(publisher_id),
  reinterpretAsFixedString(transaction_id), reinterpretAsFixedString(kept_from),
  reinterpretAsFixedString(toUInt8(type))
FROM changes
WHERE ${changesIn(plan, range)}
ORDER BY batch, publisher_id, transaction_id LIMIT ${bind('UInt32', plan.limit + 1)}`),
  priority: 'small',
});

/** A key as it is read. */
export interface ReadKey extends ChangeKey {
  readonly type: (typeof KINDS)[number];
  /** The month before which retention removed all transactions of the type; 0 for the change of a row. */
  readonly keptFrom: number;
}

export function* changeKeysIn(bytes: Buffer): Generator<ReadKey> {
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
 * `PREWHERE` reads records only where a key fits. It runs before `FINAL`, so it may only use columns of the
 * table's key, which are equal in all versions of a transaction. The administrators' key has no publisher.
 */
export function changedRecordsStatement(plan: ChangePlan, range: ChangeRange): RowStatement {
  const table = TABLE_OF[plan.role];
  const label = labelOf(plan);
  const hasPublisherInKey = plan.role === 'affiliate';
  const isInSight = rowPredicate(plan, plan.kinds, table);
  const isChanged = sql`(publisher_id, created_at, transaction_id) GLOBAL IN (
  SELECT publisher_id, created_at, transaction_id FROM changes WHERE ${changesIn(plan, range)})`;
  const statement =
    statementOf(sql`SELECT reinterpretAsFixedString(toUInt32(length(record_head) + length(label) + length(record_tail))),
  reinterpretAsFixedString(toUInt32(created_at)), reinterpretAsFixedString(toUInt64(transaction_id)),
  record_head, ${label} AS label, record_tail
FROM ${raw(table)} FINAL
${hasPublisherInKey ? sql`PREWHERE ${isChanged} WHERE ${isInSight}` : sql`WHERE ${isInSight} AND ${isChanged}`}`);
  return { ...statement, boundaries: 'framed', priority: 'small' };
}

/** Everybody learns of removed months; they are stored as those of publisher 0. */
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

/** Compares single columns, because the engine's index does not use comparisons of tuples. */
function compared(first: Comparison, key: ChangeKey, last: Comparison): Sql {
  const [batch, publisher, transaction] = [
    bind('UInt64', key.batch),
    bind('UInt64', key.publisherId),
    bind('UInt64', key.transactionId),
  ] as const;
  return sql`(batch ${raw(first)} ${batch} OR (batch = ${batch} AND (publisher_id ${raw(first)} ${publisher}
    OR (publisher_id = ${publisher} AND transaction_id ${raw(last)} ${transaction}))))`;
}
