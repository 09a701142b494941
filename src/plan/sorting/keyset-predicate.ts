/** SQL predicates that select the rows between two positions of a list. */

import type { KeysetPosition } from '../keyset-position.ts';
import type { ListPlan } from '../list-plan.ts';
import { bind, raw, type Sql, sql } from '../sql.ts';
import { type SortColumn, sortColumnOf } from './sort-column.ts';

/** The rows after a position, or those up to and including it. */
type Side = 'after' | 'through';

export function keysetPredicate(plan: ListPlan): readonly Sql[] {
  const { after, through } = plan;
  return [
    ...(after === undefined ? [] : [sidePredicate(plan, 'after', after)]),
    ...(through === undefined ? [] : [sidePredicate(plan, 'through', through)]),
  ];
}

function sidePredicate(plan: ListPlan, side: Side, position: KeysetPosition): Sql {
  const column = sortColumnOf(plan);
  const tied = keyPredicate(plan, side, position);
  return column === undefined ? tied : valuePredicate(plan, column, side, position, tied);
}

/** Compares the date, then the transaction. */
function keyPredicate(
  { order, dateField }: ListPlan,
  side: Side,
  { at, transactionId }: KeysetPosition,
): Sql {
  const [isAfter, isThrough] = order === 'asc' ? ['>', '<='] : ['<', '>='];
  return sql`(${raw(dateField)}, transaction_id) ${raw(side === 'after' ? isAfter : isThrough)} (toDateTime(${bind('UInt32', at)}), ${bind('UInt64', transactionId)})`;
}

/** Compares the sorted value, then the key. Null is last in both directions. */
function valuePredicate(
  { sort }: ListPlan,
  { value, bound, isNullable }: SortColumn,
  side: Side,
  { value: bytes = null }: KeysetPosition,
  tied: Sql,
): Sql {
  if (bytes === null) {
    return side === 'after'
      ? sql`(${value} IS NULL AND ${tied})`
      : sql`(${value} IS NOT NULL OR ${tied})`;
  }
  const [isAfter, isBefore] = sort?.isDescending ? ['<', '>'] : ['>', '<'];
  const beyond = sql`${value} ${raw(side === 'after' ? isAfter : isBefore)} ${bound(bytes)}`;
  const nulls = side === 'after' && isNullable ? sql` OR ${value} IS NULL` : raw('');
  return sql`(${beyond} OR (${value} = ${bound(bytes)} AND ${tied})${nulls})`;
}
