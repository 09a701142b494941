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
 * The innermost query uses aliases that no column has: an alias with the name of a column would hide
 * the column from WHERE. The next query renames them to the fields of the record, and the outer query
 * renders these fields.
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

/** The fingerprint of a group. Sum and XOR of its hashes do not depend on the order or partitions of its rows. */
const FINGERPRINT_OF_HASHES =
  "leftPad(lower(hex(sipHash64(concat(toString(hashes_added), ' ', toString(hashes_xored))))), 16, '0')";
