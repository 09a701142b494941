/** When transactions pass from one age to the next. */

import { startOfDay } from '../../contract/query/calendar.ts';
import { AGES, type Grouping } from '../../contract/query/groupings.ts';
import type { PlanContext } from '../report-plan.ts';

/** What a plan with groups needs besides the query and the principal. */
export interface GroupContext extends PlanContext {
  /** The present date in the platform's time zone, `YYYY-MM-DD`. */
  readonly today: string;
}

/**
 * The instants from which on a transaction has each age but the last. None without a grouping by age,
 * because entity tags of plans with them change every day.
 */
export const ageLimitsOf = (
  groupings: readonly Grouping[],
  { today, timeZone }: GroupContext,
): readonly number[] =>
  groupings.includes('age')
    ? AGES.flatMap((age) => ('maxDays' in age ? [startOfDay(today, timeZone, -age.maxDays)] : []))
    : [];
