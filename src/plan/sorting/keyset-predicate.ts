/** SQL predicates that select the rows between two positions of a list. */

import type { KeysetPosition } from '../keyset-position.ts';
import type { ReportPlan } from '../report-plan.ts';
import { bind, raw, type Sql, sql } from '../sql.ts';
import { type SortColumn, sortColumnOf } from './sort-column.ts';

/** What a position bounds: the rows after it, or those up to it, included. */
type Bound = 'after' | 'through';

export function keysetPredicate(plan: ReportPlan): readonly Sql[] {
  const { after, through } = plan;
  return [
    ...(after === undefined ? [] : [boundPredicate(plan, 'after', after)]),
    ...(through === undefined ? [] : [boundPredicate(plan, 'through', through)]),
  ];
}

function boundPredicate(plan: ReportPlan, kind: Bound, position: KeysetPosition): Sql {
  const column = sortColumnOf(plan);
  const tied = keyBound(plan, kind, position);
  return column === undefined ? tied : valueBound(plan, column, kind, position, tied);
}

/** By the date and the transaction. */
function keyBound(
  { order, dateField }: ReportPlan,
  kind: Bound,
  { at, transactionId }: KeysetPosition,
): Sql {
  const [isAfter, isThrough] = order === 'asc' ? ['>', '<='] : ['<', '>='];
  return sql`(${raw(dateField)}, transaction_id) ${raw(kind === 'after' ? isAfter : isThrough)} (toDateTime(${bind('UInt32', at)}), ${bind('UInt64', transactionId)})`;
}

/** By the sorted value, then by the key. Null is last in both directions. */
function valueBound(
  { sort }: ReportPlan,
  { value, bound, isNullable }: SortColumn,
  kind: Bound,
  { value: bytes = null }: KeysetPosition,
  tied: Sql,
): Sql {
  if (bytes === null) {
    return kind === 'after'
      ? sql`(${value} IS NULL AND ${tied})`
      : sql`(${value} IS NOT NULL OR ${tied})`;
  }
  const [isAfter, isBefore] = sort?.isDescending ? ['<', '>'] : ['>', '<'];
  const beyond = sql`${value} ${raw(kind === 'after' ? isAfter : isBefore)} ${bound(bytes)}`;
  const nulls = kind === 'after' && isNullable ? sql` OR ${value} IS NULL` : raw('');
  return sql`(${beyond} OR (${value} = ${bound(bytes)} AND ${tied})${nulls})`;
}
