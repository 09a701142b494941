/** The statement that reads a report as finished bytes. */

import type { Principal } from '../auth/principal.ts';
import { STATUS_LABELS, STATUSES } from '../contract/labels.ts';
import type { Audience } from '../contract/records.ts';
import type { Position } from './position.ts';
import type { ReportPlan } from './report-plan.ts';
import { bind, join, raw, type Sql, type Statement, sql, statementOf } from './sql.ts';

/** What each record begins with in the bytes of a report: the JSON array's comma, and a new line. */
export const RECORD_LEAD = ',\n';

/** Each audience reads its own table and no other. */
export const TABLE_OF: { readonly [audience in Audience]: string } = {
  admin: 'transactions',
  affiliate: 'affiliate_transactions',
};

/**
 * Reads the records in order of creation, each as `,\n{…}`.
 *
 * The columns are written one after the other without anything between them (format RawBLOB), so
 * that the label goes between the two rendered parts of the record at no cost.
 */
export function reportStatement(plan: ReportPlan): Statement {
  const statement =
    statementOf(sql`SELECT ${bind('String', RECORD_LEAD)}, record_head, ${label(plan)}, record_tail
FROM ${raw(TABLE_OF[plan.audience])} FINAL
WHERE ${join(conditions(plan), ' AND ')}
ORDER BY ${raw(sortingKey(plan))}`);
  return Object.freeze({
    ...statement,
    rowLead: RECORD_LEAD,
    continues: plan.after !== undefined,
  });
}

function label({ locale }: ReportPlan): Sql {
  const labels = bind('Array(String)', STATUS_LABELS[locale]);
  return sql`transform(status, ${bind('Array(UInt8)', STATUSES)}, ${labels}, '')`;
}

function conditions(plan: ReportPlan): readonly Sql[] {
  return [
    sql`type = ${bind('String', plan.kind)}`,
    ...within('publisher_id', plan.publisherIds),
    sql`created_at >= toDateTime(${bind('UInt32', plan.from)})`,
    sql`created_at < toDateTime(${bind('UInt32', plan.until)})`,
    ...within('program_id', plan.programIds),
    ...following(plan.after),
  ];
}

function following(position: Position | undefined): Sql[] {
  if (position === undefined) return [];
  const { createdAt, transactionId } = position;
  const key = sql`(toDateTime(${bind('UInt32', createdAt)}), ${bind('UInt64', transactionId)})`;
  return [sql`(created_at, transaction_id) > ${key}`];
}

function within(column: 'publisher_id' | 'program_id', scope: Principal['programIds']): Sql[] {
  if (scope === 'all') return [];
  const [only, ...others] = scope;
  if (only !== undefined && others.length === 0) {
    return [sql`${raw(column)} = ${bind('UInt64', only)}`];
  }
  return [sql`${raw(column)} IN ${bind('Array(UInt64)', scope)}`];
}

/** The table's own order wherever it is the answer's, so that the engine streams instead of sorting. */
function sortingKey(plan: ReportPlan): string {
  const oneWebsite = plan.publisherIds !== 'all' && plan.publisherIds.length === 1;
  return plan.audience === 'affiliate' && oneWebsite
    ? 'type, publisher_id, created_at, transaction_id'
    : 'type, created_at, transaction_id';
}

/** The first and the last instant of an audience's table, which the engine knows without reading. */
export const boundsStatement = ({ audience }: ReportPlan): Statement =>
  statementOf(sql`SELECT toUnixTimestamp(min(created_at)) AS first, toUnixTimestamp(max(created_at)) AS last
FROM ${raw(TABLE_OF[audience])}`);

/** The instants among the given ones at which a transaction of the plan was created. */
export const createdAtStatement = (
  plan: ReportPlan,
  transactionId: number,
  instants: readonly number[],
): Statement =>
  statementOf(sql`SELECT DISTINCT toUnixTimestamp(created_at) AS created
FROM ${raw(TABLE_OF[plan.audience])}
WHERE type = ${bind('String', plan.kind)} AND transaction_id = ${bind('UInt64', transactionId)}
  AND created_at IN (SELECT toDateTime(arrayJoin(${bind('Array(UInt32)', instants)})))`);
