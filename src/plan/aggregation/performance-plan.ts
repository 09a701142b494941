/** Plans performance: combines a query with what the principal may read. */

import type { Principal } from '../../auth/principal.ts';
import { performanceFields } from '../../contract/groups/performance-record.ts';
import { startOfDay } from '../../contract/query/calendar.ts';
import { type Comparison, formerPeriod, type Shift } from '../../contract/query/compared-period.ts';
import type { PerformanceGrouping } from '../../contract/query/groupings.ts';
import type { PerformanceQuery } from '../../contract/query/query.ts';
import { type Sort, sortOf } from '../../contract/query/sorting/sort.ts';
import { type Presentation, type Selection, selectionOf } from '../list-plan.ts';
import { ageLimitsOf, type GroupContext } from './age-limits.ts';
import type { GroupKeyInputs } from './group-keys.ts';

/** The former period (`until` excluded), and the shift from its dates to those of the present period. */
export interface PlannedFormerPeriod extends Pick<Selection, 'from' | 'until'> {
  readonly shift: Shift;
}

export interface PerformancePlan extends Selection, GroupKeyInputs, Presentation {
  /** In the order in which the record has them. */
  readonly groupings: readonly PerformanceGrouping[];
  /** Whether identifiers are followed by their names. */
  readonly hasNames: boolean;
  /** What the period is compared with. */
  readonly former?: PlannedFormerPeriod;
  /** Takes precedence over the order by groupings. */
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
  const {
    group_by: groupings = [],
    names: hasNames = false,
    compare,
    sort,
    limit,
    offset = 0,
  } = query;
  const { timeZone, locale, form = 'json' } = context;
  return Object.freeze({
    ...selectionOf(query, principal, timeZone),
    ageLimits: ageLimitsOf(groupings, context),
    groupings,
    hasNames,
    fields: performanceFields(principal.role, groupings, {
      hasNames,
      isCompared: compare !== undefined,
    }),
    form,
    locale,
    offset,
    ...(compare === undefined ? {} : { former: plannedFormer(query, compare, timeZone) }),
    ...(sort === undefined ? {} : { sort: sortOf(sort) }),
    ...(limit === undefined ? {} : { limit }),
  });
}

function plannedFormer(
  { start_date: first, end_date: last }: PerformanceQuery,
  comparison: Comparison,
  timeZone: string,
): PlannedFormerPeriod {
  const former = formerPeriod({ first, last }, comparison);
  return {
    from: startOfDay(former.first, timeZone),
    until: startOfDay(former.last, timeZone, 1),
    shift: former.shift,
  };
}

/** The shortest period that contains the requested period and the former one. */
export const scannedPeriod = ({
  from,
  until,
  former = { from, until },
}: Pick<PerformancePlan, 'from' | 'until'> & {
  readonly former?: Pick<PlannedFormerPeriod, 'from' | 'until'> | undefined;
}): Pick<Selection, 'from' | 'until'> => ({
  from: Math.min(from, former.from),
  until: Math.max(until, former.until),
});
