/** Which table a report reads: one in which what it asks for lies together. */

import type { Scope } from '../auth/principal.ts';
import type { Role } from '../contract/record/records.ts';
import { isWhole, type ReportPlan, type Selection } from './report-plan.ts';

/** Each role has a table of its own and reads no table with fields of the other. */
export const TABLE_OF: { readonly [role in Role]: string } = {
  admin: 'transactions',
  affiliate: 'affiliate_transactions',
};

/** The column with the hash of what the role of a table sees of a row. */
export const RECORD_HASH = 'record_hash';

/** The administrators' records once more, for whoever asks for some of them. */
export const BY_PUBLISHER = 'transactions_by_publisher';
export const BY_PROGRAM = 'transactions_by_program';

/** What the records once more hold beside their text. */
export const PROJECTED_FIELDS: readonly string[] = [
  'transaction_id',
  'program_id',
  'publisher_id',
  'status',
  'created_at',
  'updated_at',
];

/** The most programs or publishers whose records are sorted together: those of more are filtered out of all. */
const MAX_PROJECTED_SCOPE = 20;

/** The table in which the few programs or publishers that are asked for lie together, where it is not the role's own. */
export function projectionTable({ role, publisherIds, programIds }: Selection): string | undefined {
  if (role === 'affiliate') return undefined;
  if (areFew(publisherIds)) return BY_PUBLISHER;
  return areFew(programIds) ? BY_PROGRAM : undefined;
}

/** Where the records of a report are. */
export function tableOf(plan: ReportPlan): string {
  const narrow = projectionTable(plan);
  return narrow !== undefined && isCoveredByProjection(plan) ? narrow : TABLE_OF[plan.role];
}

/** Every table that an answer from this one depends on. */
export function tablesReadBy(selection: Selection, table: string): readonly string[] {
  const narrow = projectionTable(selection);
  return narrow === undefined || table !== TABLE_OF.admin ? [table] : [table, narrow];
}

/** Whether all that the report needs is in the records once more. */
const isCoveredByProjection = (plan: ReportPlan): boolean =>
  isWhole(plan) &&
  PROJECTED_FIELDS.includes(plan.dateField) &&
  plan.filters.every(({ field }) => PROJECTED_FIELDS.includes(field));

/** The table's own order wherever it is the answer's, so that the engine streams instead of sorting. */
export function sortingKey(plan: ReportPlan): readonly string[] {
  const { dateField, publisherIds, programIds } = plan;
  const place = [dateField, 'transaction_id'];
  if (dateField !== 'created_at') return place;
  const table = tableOf(plan);
  if (isOne(publisherIds) && table !== TABLE_OF.admin) return ['type', 'publisher_id', ...place];
  if (isOne(programIds) && table === BY_PROGRAM) return ['type', 'program_id', ...place];
  return ['type', ...place];
}

const isOne = (scope: Scope): boolean => scope !== 'all' && scope.length === 1;

const areFew = (scope: Scope): boolean => scope !== 'all' && scope.length <= MAX_PROJECTED_SCOPE;
