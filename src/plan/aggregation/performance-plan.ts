/** Plans performance: combines a query with what the principal may read. */

import type { Principal } from '../../auth/principal.ts';
import { performanceFields } from '../../contract/groups/performance-record.ts';
import type { PerformanceGrouping } from '../../contract/query/groupings.ts';
import { type Sort, sortOf } from '../../contract/query/performance-parameters.ts';
import type { PerformanceQuery } from '../../contract/query/query.ts';
import { type Presentation, type Selection, selectionOf } from '../report-plan.ts';
import { ageLimitsOf, type GroupContext } from './age-limits.ts';
import type { GroupedSelection } from './group-keys.ts';

export interface PerformancePlan extends Selection, GroupedSelection, Presentation {
  /** In the order of the record. */
  readonly groupings: readonly PerformanceGrouping[];
  /** Whether identifiers are followed by their names. */
  readonly hasNames: boolean;
  /** Before the order by groupings. */
  readonly sort?: Sort;
  /** The maximum number of records. */
  readonly limit?: number;
  /** The number of records that are skipped. */
  readonly offset: number;
}

/** Plans performance. Throws a Problem if the query requests what the principal may not read. */
export function planPerformance(
  query: PerformanceQuery,
  principal: Principal,
  context: GroupContext,
): PerformancePlan {
  const { group_by: groupings = [], names: hasNames = false, sort, limit, offset = 0 } = query;
  const { timeZone, locale, form = 'json' } = context;
  return Object.freeze({
    ...selectionOf(query, principal, timeZone),
    ageLimits: ageLimitsOf(groupings, context),
    groupings,
    hasNames,
    fields: performanceFields(principal.role, groupings, hasNames),
    form,
    locale,
    offset,
    ...(sort === undefined ? {} : { sort: sortOf(sort) }),
    ...(limit === undefined ? {} : { limit }),
  });
}
