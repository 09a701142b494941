/** The latest hour that has transactions, which tells how far the data go. */

import type { ResultRow } from './api-query.ts';

export interface LatestHour {
  /** `YYYY-MM-DD HH:00`; undefined if the searched days have no transactions. */
  readonly hour: string | undefined;
  /** The first of the searched days: only the latest ones are searched. */
  readonly since: string;
}

export const latestHourIn = (groups: readonly ResultRow[], since: string): LatestHour => ({
  hour: groups
    .map(({ hour }) => String(hour))
    .sort()
    .at(-1),
  since,
});
