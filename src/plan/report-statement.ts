/** The statement that reads a report as finished bytes. */

import type { Principal } from '../auth/principal.ts';
import { STATUS_LABELS, STATUSES } from '../contract/labels.ts';
import type { Position } from './position.ts';
import type { ReportPlan } from './report-plan.ts';
import { BY_PROGRAM, sortingKey, TABLE_OF, tableOf } from './report-table.ts';
import { bind, join, raw, type Sql, type Statement, sql, statementOf } from './sql.ts';

/** What each record begins with in the bytes of a report: the JSON array's comma, and a new line. */
export const RECORD_LEAD = ',\n';

/**
 * Reads the records in order of creation, each as `,\n{…}`.
 *
 * The columns are written one after the other without anything between them (format RawBLOB), so
 * that the label goes between the two rendered parts of the record at no cost.
 */
export function reportStatement(plan: ReportPlan): Statement {
  const statement =
    statementOf(sql`SELECT ${bind('String', RECORD_LEAD)}, record_head, ${label(plan)}, record_tail
FROM ${raw(tableOf(plan))} FINAL
WHERE ${join(conditions(plan), ' AND ')}
ORDER BY ${raw(sortingKey(plan))}`);
  return Object.freeze({
    ...statement,
    rowLead: RECORD_LEAD,
    continues: plan.after !== undefined,
  });
}

/**
 * Reads the first records of a period like a report, each after its instant and its length in
 * bytes, both as 32 bits, the lowest first.
 */
export function monthStatement(plan: ReportPlan, mostRows: number): Statement {
  const length = sql`length(record_head) + length(label) + length(record_tail) + ${bind('UInt8', RECORD_LEAD.length)}`;
  const statement =
    statementOf(sql`SELECT reinterpretAsFixedString(toUInt32(created_at)), reinterpretAsFixedString(toUInt32(${length})),
  ${bind('String', RECORD_LEAD)}, record_head, ${label(plan)} AS label, record_tail
FROM ${raw(tableOf(plan))} FINAL
WHERE ${join(conditions(plan), ' AND ')}
ORDER BY ${raw(sortingKey(plan))}
LIMIT ${bind('UInt32', mostRows)}`);
  return Object.freeze({ ...statement, rowLead: RECORD_LEAD });
}

function label({ locale }: ReportPlan): Sql {
  const labels = bind('Array(String)', STATUS_LABELS[locale]);
  return sql`transform(status, ${bind('Array(UInt8)', STATUSES)}, ${labels}, '')`;
}

function conditions(plan: ReportPlan): readonly Sql[] {
  return [
    sql`type = ${bind('String', plan.kind)}`,
    ...within('publisher_id', plan.publisherIds),
    sql`created_at >= toDateTime(${bind('UInt32', Math.max(plan.from, plan.after?.createdAt ?? 0))})`,
    sql`created_at < toDateTime(${bind('UInt32', plan.until)})`,
    ...within('program_id', plan.programIds),
    ...(tableOf(plan) === BY_PROGRAM ? [raw('NOT has_left')] : []),
    ...following(plan.after),
  ];
}

/** The engine finds the place by the condition on `created_at` alone. */
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
