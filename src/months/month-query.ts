/** Translates a plan for the month cache: a table, key ranges in its order, and a row predicate. */

import { hasNames, type ListPlan } from '../plan/list-plan.ts';
import { areFew } from '../plan/report-table.ts';
import { MONTH_TABLES, type MonthTable } from './month-statement.ts';
import type { KeyRange } from './rows/key-range.ts';
import type { OwnerScopes } from './rows/owner-index.ts';
import { kindCode } from './rows/stored-row.ts';
import { canFilter, type RowTest, rowTest } from './writing/row-predicate.ts';

export interface MonthQuery {
  readonly table: MonthTable;
  /** One for each selected website; a single one in a table that is sorted by time. */
  readonly ranges: readonly KeyRange[];
  /** The selected programs and publishers, in a table that is sorted by time. */
  readonly owners: OwnerScopes | undefined;
  /** Undefined if every row of the ranges is selected. */
  readonly isSelected: RowTest | undefined;
  /** Whether counting must read the rows, because the ranges and owners alone do not select them. */
  readonly isFiltered: boolean;
}

/** Undefined if only the engine can answer. */
export function monthQuery(plan: ListPlan): MonthQuery | undefined {
  if (
    plan.dateField !== 'created_at' ||
    plan.sort !== undefined ||
    plan.through !== undefined ||
    !canFilter(plan) ||
    hasNames(plan)
  ) {
    return undefined;
  }
  return plan.role === 'affiliate' ? websiteQuery(plan) : timeQuery(plan);
}

/** The query of an affiliate: its table is sorted by website first. */
function websiteQuery(plan: ListPlan): MonthQuery | undefined {
  const { publisherIds, programIds, filters } = plan;
  if (publisherIds === 'all' || !areFew(publisherIds)) return undefined;
  return {
    table: MONTH_TABLES.affiliate,
    // A token may name a website twice.
    ranges: [...new Set(publisherIds)].map((id) => rangeOf(plan, id)),
    owners: undefined,
    isSelected: rowTest({ ...plan, publisherIds: 'all' }),
    isFiltered: programIds !== 'all' || filters.length > 0,
  };
}

/** The query of an administrator: its table is sorted by time, with an index of programs and publishers. */
function timeQuery(plan: ListPlan): MonthQuery {
  const { publisherIds, programIds, filters } = plan;
  const isOfAll = publisherIds === 'all' && programIds === 'all';
  return {
    table: MONTH_TABLES.admin,
    ranges: [rangeOf(plan, NO_OWNER)],
    owners: isOfAll ? undefined : { publisherIds, programIds },
    isSelected: rowTest(plan),
    // The index selects by programs or by publishers, not by both.
    isFiltered: filters.length > 0 || (publisherIds !== 'all' && programIds !== 'all'),
  };
}

/** The `owner` in the keys of a table that is sorted by time. */
const NO_OWNER = 0;

/** The part of the plan's period after the cursor. */
function rangeOf({ kind, from, until, after, order }: ListPlan, owner: number): KeyRange {
  const key = (at: number, transactionId: number) => ({
    kind: kindCode(kind),
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
