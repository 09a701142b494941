/** The statements of a list, whose rows are the bytes of the response. */

import * as v from 'valibot';
import { assertNever } from '../contract/assert-never.ts';
import type { Kind } from '../contract/record/kinds.ts';
import { STATUS_LABELS } from '../contract/record/labels.ts';
import { STATUSES } from '../contract/record/statuses.ts';
import { textFormOf } from './form.ts';
import { framedPieces } from './framed-pieces.ts';
import type { ListPlan, Presentation } from './list-plan.ts';
import { rowPredicate, selectionPredicate } from './predicates.ts';
import { csvLine } from './rendering/csv-rendering.ts';
import { CSV_STYLES } from './rendering/csv-style.ts';
import { renderedFields } from './rendering/json-rendering.ts';
import { RECORD_SEPARATORS, usesStoredRecords } from './rendering/stored-records.ts';
import { listTable, orderByColumns, TABLE_OF } from './report-table.ts';
import { INTEGER, type Select, select } from './select.ts';
import { HOUR_ROW, type HourCount } from './slices.ts';
import { keysetPredicate } from './sorting/keyset-predicate.ts';
import { sortColumnOf } from './sorting/sort-column.ts';
import { bind, join, type RowStatement, raw, type Sql, sql, statementOf } from './sql.ts';

/**
 * Reads the records in order.
 *
 * The format RawBLOB writes the columns back to back, so the label fits between the two rendered
 * parts of a record without copying. Records are framed if their bytes do not contain the keyset
 * position, or if the list has a limit.
 */
export const listStatement = (plan: ListPlan): RowStatement =>
  isFramed(plan) ? framedStatement(plan) : delimitedStatement(plan);

/** Whether records are framed. False only for unlimited lists of whole records by date of creation. */
export const isFramed = (plan: ListPlan): boolean =>
  !usesStoredRecords(plan) || plan.dateField !== 'created_at' || plan.limit !== undefined;

function delimitedStatement(plan: ListPlan): RowStatement {
  const statement = statementOf(sql`SELECT ${join(recordPieces(plan), ', ')}
${fromClause(plan)}`);
  const lead = plan.form === 'ndjson' ? RECORD_SEPARATORS.ndjson : RECORD_SEPARATORS.json;
  return Object.freeze({ ...statement, boundaries: { lead } });
}

/** Reads the records, each in a frame with its length, its date and its identifier. */
export function framedStatement(plan: ListPlan): RowStatement {
  const statement =
    statementOf(sql`SELECT ${framedPieces(recordPieces(plan), plan.dateField, 'transaction_id')}
${fromClause(plan)}`);
  return Object.freeze({ ...statement, boundaries: 'framed' as const });
}

/** The SQL expressions whose texts, one after the other, are the text of a record. */
export function recordPieces(plan: Presentation & { readonly kind?: Kind }): readonly Sql[] {
  const label = labelOf(plan);
  const form = textFormOf(plan);
  switch (form) {
    case 'csv':
    case 'excel':
    case 'excel-en':
      return [csvLine(plan.kind, plan.fields, label, CSV_STYLES[form])];
    case 'json':
    case 'ndjson':
      return [sql`${bind('String', RECORD_SEPARATORS[form])}`, ...jsonPieces(plan, label)];
    default:
      return assertNever(form);
  }
}

function jsonPieces(plan: Presentation, label: Sql): readonly Sql[] {
  if (usesStoredRecords(plan)) return [raw('record_head'), label, raw('record_tail')];
  const { head, tail } = renderedFields(plan.fields);
  return [raw(head), ...(tail === undefined ? [] : [label, raw(tail)])];
}

/** The clauses FROM, WHERE, ORDER BY and LIMIT of a list. */
export function fromClause(plan: ListPlan): Sql {
  const all = selectedRows(plan);
  if (!isSelective(plan)) return all;
  return rowsWhere(
    plan,
    sql`${rowPredicate(clampToKeyset(plan), [plan.kind], listTable(plan))}
  AND (created_at, transaction_id) GLOBAL IN (SELECT created_at, transaction_id ${all})`,
  );
}

/** Like {@link fromClause}, but without the subquery that finds the keys of a selective plan first. */
export const selectedRows = (plan: ListPlan): Sql =>
  rowsWhere(plan, selectionPredicate(clampToKeyset(plan), [plan.kind], listTable(plan)));

const rowsWhere = (plan: ListPlan, condition: Sql): Sql => sql`FROM ${raw(listTable(plan))} FINAL
WHERE ${join([condition, ...keysetPredicate(plan)], ' AND ')}
ORDER BY ${join(orderOf(plan), ', ')}${rowsOfPage(plan)}`;

function orderOf(plan: ListPlan): readonly Sql[] {
  const column = sortColumnOf(plan);
  const direction = plan.sort?.isDescending ? 'DESC' : 'ASC';
  const key = orderByColumns(plan).map((name) =>
    raw(plan.order === 'desc' ? `${name} DESC` : name),
  );
  return column === undefined ? key : [sql`${column.value} ${raw(direction)} NULLS LAST`, ...key];
}

function rowsOfPage({ limit, offset }: ListPlan): Sql {
  const page = limit === undefined ? raw('') : sql`\nLIMIT ${bind('UInt32', limit)}`;
  return offset === undefined ? page : sql`${page}\nOFFSET ${bind('UInt32', offset)}`;
}

/** Whether the plan selects so few rows that it pays to find their keys first. */
const isSelective = ({ limit, dateField, sort, filters }: ListPlan): boolean =>
  sort !== undefined ||
  filters.some(({ field, excludes }) => !excludes && SELECTIVE_FIELDS.includes(field)) ||
  (limit !== undefined && (dateField !== 'created_at' || filters.length > 0));

/** Few transactions have the same value of these fields. */
const SELECTIVE_FIELDS: readonly string[] = ['transaction_id', 'orderid', 'clickid'];

/** The status in the reader's language. */
export function labelOf({ locale }: Pick<ListPlan, 'locale'>): Sql {
  const labels = bind('Array(String)', STATUS_LABELS[locale]);
  return sql`transform(status, ${bind('Array(UInt8)', STATUSES)}, ${labels}, '')`;
}

/** Narrows the period to the keyset range, because the engine's index uses only the date. */
export function clampToKeyset(plan: ListPlan): ListPlan {
  if (plan.sort !== undefined) return plan;
  const { after, through, order, from, until } = plan;
  const [first, last] = order === 'asc' ? [after, through] : [through, after];
  return {
    ...plan,
    from: Math.max(from, first?.at ?? from),
    until: Math.min(until, last === undefined ? until : last.at + 1),
  };
}

/** The first and the last date of a role's table, which the engine reads from metadata. */
export const boundsStatement = ({ role }: ListPlan): Select<v.InferOutput<typeof BOUNDS>> =>
  select(
    BOUNDS,
    statementOf(sql`SELECT toUnixTimestamp(min(created_at)) AS first, toUnixTimestamp(max(created_at)) AS last
FROM ${raw(TABLE_OF[role])}`),
  );

const BOUNDS = v.object({ first: INTEGER, last: INTEGER });

/** The number of records of each hour, in order, without empty hours. */
export function hoursStatement(plan: ListPlan): Select<HourCount> {
  const table = listTable(plan);
  const statement =
    statementOf(sql`SELECT toUInt32(intDiv(toUInt32(assumeNotNull(${raw(plan.dateField)})), 3600) * 3600) AS hour, count() AS records
FROM ${raw(table)} FINAL
WHERE ${selectionPredicate(plan, [plan.kind], table)}
GROUP BY hour ORDER BY hour`);
  return select(HOUR_ROW, { ...statement, isAggregation: true });
}

const COUNT = v.object({ records: INTEGER });

/** The number of records of a plan. */
export function countStatement(plan: ListPlan): Select<v.InferOutput<typeof COUNT>> {
  const table = listTable(plan);
  const statement = statementOf(sql`SELECT count() AS records FROM ${raw(table)} FINAL
WHERE ${selectionPredicate(plan, [plan.kind], table)}`);
  return select(COUNT, { ...statement, isAggregation: true });
}

/** Finds out which of the given instants is the transaction's date of creation. */
export const createdAtStatement = (
  plan: ListPlan,
  transactionId: number,
  instants: readonly number[],
  timeZone: string,
): Select<v.InferOutput<typeof CREATED>> =>
  select(
    CREATED,
    statementOf(sql`SELECT DISTINCT toUnixTimestamp(created_at) AS created
FROM ${raw(TABLE_OF[plan.role])}
WHERE type = ${bind('String', plan.kind)} AND transaction_id = ${bind('UInt64', transactionId)}
  AND created_at IN (SELECT toDateTime(arrayJoin(${bind('Array(UInt32)', instants)}), ${bind('String', timeZone)}))`),
  );

const CREATED = v.object({ created: INTEGER });
