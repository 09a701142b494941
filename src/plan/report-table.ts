/** Chooses the table of a report: the main table, or a projection that stores its rows together. */

import type { Scope } from '../auth/principal.ts';
import { type Grouping, isGroupingField } from '../contract/query/groupings.ts';
import { DATE_FIELDS } from '../contract/query/parameters.ts';
import type { Role } from '../contract/record/records.ts';
import { SUMMED_FIELDS } from '../contract/record/summary.ts';
import type { ListPlan, Selection } from './list-plan.ts';
import { usesStoredRecords } from './rendering/stored-records.ts';

/** Each role has its own table and reads no table with fields of the other role. */
export const TABLE_OF: { readonly [role in Role]: string } = {
  admin: 'transactions',
  affiliate: 'affiliate_transactions',
};

/** Columns of each table's sorting key that identify a transaction. They are equal in all its versions. */
export const RECORD_KEY: { readonly [role in Role]: readonly string[] } = {
  admin: ['created_at', 'transaction_id'],
  affiliate: ['publisher_id', 'created_at', 'transaction_id'],
};

/** The column with the hash of a row, as the table's role reads it. */
export const RECORD_HASH = 'record_hash';

/** Copies of the administrators' table, sorted by publisher and by program. */
export const BY_PUBLISHER = 'transactions_by_publisher';
export const BY_PROGRAM = 'transactions_by_program';

/** Which publishers have transactions of which programs. */
export const PARTNERSHIPS = 'partnerships';

/**
 * The fields of projections, besides the rendered record and its hash: identifiers, dates, all that summaries
 * add up, and what they are often grouped by. A change here rebuilds the projections of existing databases.
 */
export const PROJECTED_FIELDS: readonly string[] = [
  'transaction_id',
  'program_id',
  'publisher_id',
  'status',
  'country',
  'device_type',
  'device_os',
  'browser',
  'subid',
  ...SUMMED_FIELDS,
  ...DATE_FIELDS,
];

/** The maximum number of programs or publishers to read from a projection. For more, a scan is faster. */
const MAX_PROJECTED_SCOPE = 20;

/** The projection that stores the rows of the selected programs or publishers together. */
export function projectionTable({ role, publisherIds, programIds }: Selection): string | undefined {
  if (role === 'affiliate') return undefined;
  if (areFew(publisherIds)) return BY_PUBLISHER;
  return areFew(programIds) ? BY_PROGRAM : undefined;
}

/** The table of a list. A projection has only whole records. */
export const listTable = (plan: ListPlan): string =>
  usesStoredRecords(plan)
    ? tableWith(plan, plan.sort === undefined ? [] : [plan.sort.by])
    : TABLE_OF[plan.role];

/** The table of a summary or of performance. */
export const summaryTable = (selection: Selection, groupings: readonly Grouping[] = []): string =>
  tableWith(selection, groupings.filter(isGroupingField));

/** The projection for a selection, if it has these columns and those of the filters. Otherwise the role's table. */
function tableWith(selection: Selection, columns: readonly string[]): string {
  const narrow = projectionTable(selection);
  const fields = [...selection.filters.map(({ field }) => field), ...columns];
  return narrow !== undefined && fields.every(isProjected) ? narrow : TABLE_OF[selection.role];
}

/**
 * All tables that a response with rows of a table may be read from. If a projection of transactions fits, these are the
 * projection and the main table: the month cache is filled from the main table, and statements on that table may look
 * up keys in the projection.
 */
export function tablesReadBy(selection: Selection, table: string): readonly string[] {
  const narrow = projectionTable(selection);
  const hasTransactions = table === TABLE_OF.admin || table === narrow;
  return narrow !== undefined && hasTransactions ? [TABLE_OF.admin, narrow] : [table];
}

const isProjected = (field: string): boolean => PROJECTED_FIELDS.includes(field);

/** The sort columns, which match the table's order where possible, so that the engine streams instead of sorting. */
export function orderByColumns(plan: ListPlan): readonly string[] {
  const { dateField, publisherIds, programIds } = plan;
  const place = [dateField, 'transaction_id'];
  if (dateField !== 'created_at' || plan.sort !== undefined) return place;
  const table = listTable(plan);
  if (isOne(publisherIds) && table !== TABLE_OF.admin) return ['type', 'publisher_id', ...place];
  if (isOne(programIds) && table === BY_PROGRAM) return ['type', 'program_id', ...place];
  return ['type', ...place];
}

const isOne = (scope: Scope): boolean => scope !== 'all' && scope.length === 1;

/** Whether there are so few identifiers that each is looked up, instead of scanning all rows. */
export const areFew = (scope: Scope): boolean =>
  scope !== 'all' && scope.length <= MAX_PROJECTED_SCOPE;
