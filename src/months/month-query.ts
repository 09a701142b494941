/** Translates a plan for the month cache: a table, ranges of its order, and a row predicate. */

import { hasNames, type ReportPlan } from '../plan/report-plan.ts';
import { areFew, BY_PROGRAM, BY_PUBLISHER, TABLE_OF } from '../plan/report-table.ts';
import { MONTH_TABLES, type MonthTable } from './month-statement.ts';
import type { KeyRange } from './rows/key-range.ts';
import { numberOfKind } from './rows/stored-row.ts';
import { canFilter, type RowPredicate, rowPredicate } from './writing/row-predicate.ts';

export interface MonthQuery {
  readonly table: MonthTable;
  /** One for each selected website or program; a single one in a table that is sorted by time. */
  readonly ranges: readonly KeyRange[];
  /** Undefined if every row of the ranges is selected. */
  readonly isSelected: RowPredicate | undefined;
}

/** Undefined if only the engine can answer. */
export function monthQuery(plan: ReportPlan): MonthQuery | undefined {
  if (
    plan.dateField !== 'created_at' ||
    plan.through !== undefined ||
    !canFilter(plan) ||
    hasNames(plan)
  ) {
    return undefined;
  }
  const table = tableFor(plan);
  if (table === undefined) return undefined;
  const { owner } = table;
  const isBy = { publisher_id: owner === 'publisher_id', program_id: owner === 'program_id' };
  const publisherIds = isBy.publisher_id ? 'all' : plan.publisherIds;
  const programIds = isBy.program_id ? 'all' : plan.programIds;
  const owners = isBy.publisher_id ? plan.publisherIds : isBy.program_id ? plan.programIds : [0];
  return {
    table,
    ranges: (owners === 'all' ? [] : owners).map((id) => rangeOf(plan, id)),
    isSelected: rowPredicate({ ...plan, publisherIds, programIds }),
  };
}

/** The table in which the selected rows lie side by side; undefined if there is none. */
function tableFor({ role, publisherIds, programIds }: ReportPlan): MonthTable | undefined {
  const named = (name: string) => MONTH_TABLES.find(({ table }) => table === name);
  if (role === 'affiliate') {
    return areFew(publisherIds) ? named(TABLE_OF.affiliate) : undefined;
  }
  if (areFew(publisherIds)) return named(BY_PUBLISHER);
  return named(areFew(programIds) ? BY_PROGRAM : TABLE_OF.admin);
}

/** The part of the plan's period after the cursor. */
function rangeOf({ kind, from, until, after, order }: ReportPlan, owner: number): KeyRange {
  const key = (at: number, transactionId: number) => ({
    kind: numberOfKind(kind),
    owner,
    at,
    transactionId,
  });
  const low = key(from, 0);
  const high = key(until, 0);
  if (after === undefined) return { low, high };
  if (order === 'asc') {
    return after.at < from ? { low, high } : { low: key(after.at, after.transactionId + 1), high };
  }
  return after.at >= until ? { low, high } : { low, high: key(after.at, after.transactionId) };
}
