/** The statement of a summary, whose rows are the bytes of the response. */

import { COUNT, FINGERPRINT } from '../../contract/record/summary.ts';
import { withNames } from '../directory/directory-names.ts';
import { recordPieces } from '../list-statement.ts';
import { selectionPredicate } from '../predicates.ts';
import { RECORD_HASH, summaryTable } from '../report-table.ts';
import { join, raw, type Statement, sql, statementOf } from '../sql.ts';
import { groupKeysOf, keyColumns, namedKeysOf } from './group-keys.ts';
import type { SummaryPlan } from './summary-plan.ts';
import { summedColumns } from './summed-columns.ts';

/**
 * Reads the groups, sorted by their keys, nulls last.
 *
 * The innermost query aggregates under aliases that no column has, because an alias would hide a
 * column from WHERE. The next one renames them to the fields of the record, which the outer query
 * renders.
 */
export function summaryStatement(plan: SummaryPlan): Statement {
  const { role, groupings, kinds, hasNames } = plan;
  const table = summaryTable(plan, groupings);
  const keys = groupKeysOf(groupings, plan);
  const namedKeys = hasNames ? namedKeysOf(keys) : [];
  const sums = summedColumns(role, kinds);
  const inner = [
    ...keyColumns(keys),
    raw('count() AS rows_counted'),
    ...sums.map(({ sum, expression }) => raw(`${expression} AS ${sum}`)),
    raw(`sum(${RECORD_HASH}) AS hashes_added, groupBitXor(${RECORD_HASH}) AS hashes_xored`),
  ];
  const named = [
    ...keys.map(({ key, grouping, shown }) => `${key}, ${shown} AS ${grouping}`),
    ...namedKeys.map(({ name }) => name),
    `rows_counted AS ${COUNT.name}`,
    ...sums.map(({ name, sum }) => `${sum} AS ${name}`),
    `${FINGERPRINT_OF_HASHES} AS ${FINGERPRINT.name}`,
  ];
  const order = keys.map(({ key }) => key).join(', ');
  const groups = sql`(SELECT ${join(inner, ', ')}
FROM ${raw(table)} FINAL
WHERE ${selectionPredicate(plan, kinds, table)}${raw(order && `\nGROUP BY ${order}`)})`;
  return Object.freeze({
    ...statementOf(sql`SELECT ${join(recordPieces(plan), ', ')}
FROM (SELECT ${raw(named.join(', '))}
FROM ${withNames(groups, namedKeys)})${raw(order && `\nORDER BY ${order}`)}`),
    isAggregation: true,
  });
}

/** Sum and XOR do not depend on the order of the rows or on how they are partitioned. */
const FINGERPRINT_OF_HASHES =
  "leftPad(lower(hex(sipHash64(concat(toString(hashes_added), ' ', toString(hashes_xored))))), 16, '0')";
