/** From a question for a summary and whoever asks it to what is to be added up. */

import type { Principal } from '../auth/principal.ts';
import type { Grouping } from '../contract/query/groupings.ts';
import type { SummaryQuery } from '../contract/query/query.ts';
import type { Kind } from '../contract/record/kinds.ts';
import { summaryFields } from '../contract/record/summary.ts';
import { type PlanContext, type Presentation, type Selection, selectionOf } from './report-plan.ts';

export interface SummaryPlan extends Selection, Presentation {
  readonly kinds: readonly Kind[];
  /** In the order of the record, by which the groups are sorted too. */
  readonly groupings: readonly Grouping[];
}

/** Plans a summary; throws a Problem where the question goes beyond what the principal may see. */
export function planSummary(
  query: SummaryQuery,
  principal: Principal,
  { timeZone, locale, form = 'json' }: PlanContext,
): SummaryPlan {
  const { type: kinds, group_by: groupings = [] } = query;
  return Object.freeze({
    ...selectionOf(query, principal, timeZone),
    kinds,
    groupings,
    fields: summaryFields(principal.role, groupings),
    form,
    locale,
  });
}
