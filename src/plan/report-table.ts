/** Which table a report reads: one in which what it asks for lies together. */

import type { Audience } from '../contract/records.ts';
import type { ReportPlan } from './report-plan.ts';

/** Each audience has a table of its own and reads no table with fields of the other. */
export const TABLE_OF: { readonly [audience in Audience]: string } = {
  admin: 'transactions',
  affiliate: 'affiliate_transactions',
};

/** The administrators' records once more, for whoever asks for some of them. */
export const BY_PUBLISHER = 'transactions_by_publisher';
export const BY_PROGRAM = 'transactions_by_program';

/** The most programs whose records are sorted together: those of more are filtered out of all. */
const MOST_PROGRAMS = 20;

export const tableOf = (plan: ReportPlan): string => {
  if (plan.audience === 'affiliate') return TABLE_OF.affiliate;
  if (isOne(plan.publisherIds)) return BY_PUBLISHER;
  const { programIds } = plan;
  return programIds !== 'all' && programIds.length <= MOST_PROGRAMS ? BY_PROGRAM : TABLE_OF.admin;
};

/** The table's own order wherever it is the answer's, so that the engine streams instead of sorting. */
export function sortingKey(plan: ReportPlan): string {
  if (isOne(plan.publisherIds)) return 'type, publisher_id, created_at, transaction_id';
  return tableOf(plan) === BY_PROGRAM && isOne(plan.programIds)
    ? 'type, program_id, created_at, transaction_id'
    : 'type, created_at, transaction_id';
}

const isOne = (scope: ReportPlan['programIds']): boolean => scope !== 'all' && scope.length === 1;
