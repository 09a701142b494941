/** The statement of performance, whose rows are the bytes of the response. */

import { measuresOf } from '../../contract/groups/measures.ts';
import { KINDS } from '../../contract/record/kinds.ts';
import { withNames } from '../directory/directory-names.ts';
import { framedPieces } from '../framed-pieces.ts';
import { recordPieces } from '../list-statement.ts';
import { selectionPredicate } from '../predicates.ts';
import { summaryTable } from '../report-table.ts';
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
import { type GroupKey, groupKeysOf, keyColumns, namedKeysOf } from './group-keys.ts';
import {
  BOTH_PERIODS,
  IS_FORMER_COLUMN,
  measureColumns,
  ONLY_PERIOD,
  ROWS_COUNTED,
  ratioColumns,
} from './measure-columns.ts';
import type { PerformancePlan, PlannedFormerPeriod } from './performance-plan.ts';
import { summedColumnsByType } from './summed-columns.ts';

/** Reads all records that follow the skipped ones, in order. */
export const performanceStatement = (plan: PerformancePlan): Statement =>
  aggregation(sql`SELECT ${join(recordPieces(plan), ', ')}
${orderedGroups(plan)}`);

/** Reads up to `limit` records, each in a frame. */
export const performancePageStatement = (plan: PerformancePlan, limit: number): RowStatement => ({
  ...aggregation(sql`SELECT ${framedPieces(recordPieces(plan), '0', '0')}
${orderedGroups({ ...plan, limit })}`),
  boundaries: 'framed',
});

const aggregation = (text: Sql): Statement =>
  Object.freeze({ ...statementOf(text), isAggregation: true });

/**
 * The groups with the fields of the record, in order.
 *
 * The innermost query reads each row of a period once: it adds up the fields by group, type and status.
 * The next one computes the measures from these few sums, and the outer one computes the ratios.
 */
function orderedGroups(plan: PerformancePlan): Sql {
  const { role, groupings, hasNames, former } = plan;
  const keys = groupKeysOf(groupings, plan);
  const periods = former === undefined ? ONLY_PERIOD : BOTH_PERIODS;
  const sums =
    former === undefined ? sumsByTypeAndStatus(plan, []) : sumsOfBothPeriods(plan, former);
  const namedKeys = hasNames ? namedKeysOf(keys) : [];
  const named = [
    ...keys.map(({ key, grouping, shown }) => `${key}, ${shown} AS ${grouping}`),
    ...namedKeys.map(({ name }) => name),
    ...periods.flatMap(({ prefix }) => measuresOf(role).map(({ name }) => prefix + name)),
    ...periods.flatMap((period) => ratioColumns(role, period)),
  ];
  const measured = [
    ...keys.map(({ key }) => key),
    ...periods.flatMap((period) => measureColumns(role, period)),
  ];
  const groups = sql`(SELECT ${raw(measured.join(', '))}
FROM (${sums})${raw(groupBy(keys.map(({ key }) => key)))})`;
  const order = orderOf(plan, keys);
  return sql`FROM (SELECT ${raw(named.join(', '))}
FROM ${withNames(groups, namedKeys)})${raw(order && `\nORDER BY ${order}`)}${rowsOfPage(plan)}`;
}

/** Dates of the former period are shifted, so that both periods have the same keys. */
const sumsOfBothPeriods = (plan: PerformancePlan, former: PlannedFormerPeriod): Sql =>
  sql`${sumsByTypeAndStatus(plan, [raw(`0 AS ${IS_FORMER_COLUMN}`)])}
UNION ALL ${sumsByTypeAndStatus({ ...plan, ...former }, [raw(`1 AS ${IS_FORMER_COLUMN}`)])}`;

function sumsByTypeAndStatus(plan: PerformancePlan, constants: readonly Sql[]): Sql {
  const table = summaryTable(plan, plan.groupings);
  const keys = groupKeysOf(plan.groupings, plan);
  const columns = [
    ...keyColumns(keys),
    ...constants,
    raw(`type, status, count() AS ${ROWS_COUNTED}`),
    ...summedColumnsByType(plan.role).map(({ sum, expression }) => raw(`${expression} AS ${sum}`)),
  ];
  return sql`SELECT ${join(columns, ', ')}
FROM ${raw(table)} FINAL
WHERE ${selectionPredicate(plan, KINDS, table)}${raw(groupBy([...keys.map(({ key }) => key), 'type', 'status']))}`;
}

const groupBy = (keys: readonly string[]): string =>
  keys.length === 0 ? '' : `\nGROUP BY ${keys.join(', ')}`;

/** By the measure, then by all keys, so that no two records tie. Null is last. */
const orderOf = ({ sort }: PerformancePlan, keys: readonly GroupKey[]): string =>
  [
    ...(sort === undefined ? [] : [`${sort.by} ${sort.isDescending ? 'DESC' : 'ASC'} NULLS LAST`]),
    ...keys.map(({ key }) => key),
  ].join(', ');

function rowsOfPage({ limit, offset }: PerformancePlan): Sql {
  const page = limit === undefined ? raw('') : sql`\nLIMIT ${bind('UInt32', limit)}`;
  return offset === 0 ? page : sql`${page}\nOFFSET ${bind('UInt32', offset)}`;
}
