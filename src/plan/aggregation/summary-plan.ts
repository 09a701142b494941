/** Plans a summary: combines a query with what the principal may read. */

import type { Principal } from '../../auth/principal.ts';
import type { Grouping } from '../../contract/query/groupings.ts';
import type { SummaryQuery } from '../../contract/query/query.ts';
import type { Kind } from '../../contract/record/kinds.ts';
import { summaryFields } from '../../contract/record/summary.ts';
import { type Presentation, type Selection, selectionOf } from '../list-plan.ts';
import { ageLimitsOf, type GroupContext } from './age-limits.ts';
import type { GroupKeyInputs } from './group-keys.ts';

export interface SummaryPlan extends Selection, GroupKeyInputs, Presentation {
  readonly kinds: readonly Kind[];
  /** In the order in which the record has them. Groups are sorted by the first, then by the next. */
  readonly groupings: readonly Grouping[];
  /** Whether each identifier in a record is followed by a field with its name. */
  readonly hasNames: boolean;
}

/** Plans a summary. Throws a Problem if the query requests what the principal may not read. */
export function planSummary(
  query: SummaryQuery,
  principal: Principal,
  context: GroupContext,
): SummaryPlan {
  const { type: kinds, group_by: groupings = [], names: hasNames = false } = query;
  const { timeZone, locale, form = 'json' } = context;
  return Object.freeze({
    ...selectionOf(query, principal, timeZone),
    ageLimits: ageLimitsOf(groupings, context),
    kinds,
    groupings,
    hasNames,
    fields: summaryFields(principal.role, groupings, hasNames),
    form,
    locale,
  });
}
