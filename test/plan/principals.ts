/** Principals and queries for tests of plans and statements. */

import type { Principal } from '../../src/auth/principal.ts';
import { Problem, type ProblemCode } from '../../src/contract/problems/problems.ts';
import type { ListQuery } from '../../src/contract/query/query.ts';
import type { GroupContext } from '../../src/plan/aggregation/age-limits.ts';
import { type ListPlan, planList } from '../../src/plan/list-plan.ts';

export const ADMIN: Principal = {
  id: 'admin',
  role: 'admin',
  publisherIds: 'all',
  programIds: 'all',
};

/** An affiliate with these websites. */
export const affiliateOf = (...publisherIds: readonly number[]): Principal => ({
  id: 'affiliate',
  role: 'affiliate',
  publisherIds,
  programIds: 'all',
});

export const JANUARY: ListQuery = {
  type: 'sales',
  start_date: '2026-01-01',
  end_date: '2026-01-31',
};

export const PARIS: GroupContext = {
  timeZone: 'Europe/Paris',
  locale: 'fr',
  today: '2026-02-15',
};

export const instant = (text: string): number => Date.parse(text) / 1000;

export const planFor = (principal: Principal, query: Partial<ListQuery> = {}): ListPlan =>
  planList({ ...JANUARY, ...query }, principal, PARIS);

/** The problem of a query; undefined if it can be planned. */
export function refusalOf(
  principal: Principal,
  query: Partial<ListQuery>,
): ProblemCode | undefined {
  try {
    planFor(principal, query);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}
