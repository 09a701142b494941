/** The times of creation at which the groups of `age` begin and end, such as 0-30 and 31-60 days. */

import { startOfDay } from '../../contract/query/calendar.ts';
import { AGES, type Grouping } from '../../contract/query/groupings.ts';
import type { PlanContext } from '../list-plan.ts';

/** What a plan with groups needs besides the query and the principal. */
export interface GroupContext extends PlanContext {
  /** The present date in the platform's time zone, `YYYY-MM-DD`. */
  readonly today: string;
}

/**
 * The earliest time of creation for each age except the oldest, in seconds since 1970 (UTC). Empty without a
 * grouping by age, because these times change every day, and the entity tag would change with them.
 */
export const ageLimitsOf = (
  groupings: readonly Grouping[],
  { today, timeZone }: GroupContext,
): readonly number[] =>
  groupings.includes('age')
    ? AGES.flatMap((age) => ('maxDays' in age ? [startOfDay(today, timeZone, -age.maxDays)] : []))
    : [];
