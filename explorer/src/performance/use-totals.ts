/** React hook for the totals of the period and of the former one, from one request. */

import { Temporal } from 'temporal-polyfill';
import { useExplorer } from '../access/explorer-context.tsx';
import { type ResolvedComparison, resolveComparison } from '../query/comparisons.ts';
import { useToday } from '../query/today.ts';
import { performanceQueryOf } from './performance-query.ts';
import { type ComparedSums, comparedSums, isEmpty, type Sums, sumsOf } from './sums.ts';
import { usePerformance } from './use-performance.ts';

export interface PerformanceTotals {
  /** Undefined while loading. */
  readonly sums: Sums | undefined;
  /** Undefined without a comparison. */
  readonly compared: ComparedSums | undefined;
  readonly comparison: ResolvedComparison | undefined;
  readonly isStale: boolean;
  readonly hasFailed: boolean;
}

export function usePerformanceTotals(): PerformanceTotals {
  const { service, view, days } = useExplorer();
  const today = useToday(service.me.time_zone);
  const now = Temporal.Now.zonedDateTimeISO(service.me.time_zone);
  const possible = resolveComparison({ ...view, days, today });
  const isCut = possible?.isCutAtHour === true;
  // A period that is only today has no complete hour before 01:00, so there is nothing to compare.
  const comparison = isCut && now.hour === 0 && days.start === today ? undefined : possible;
  const { data, dataUpdatedAt, error, isPlaceholderData } = usePerformance({
    ...performanceQueryOf(view, days),
    ...(comparison === undefined ? {} : { compare: comparison.compare }),
    ...(isCut ? { group_by: 'hour' } : {}),
  });
  const hour = isCut ? hourOf(dataUpdatedAt, service.me.time_zone) : undefined;
  const sums =
    isPlaceholderData || data === undefined ? undefined : comparedSums(data, service.role, hour);
  // An empty period that is cut at the present hour is not compared, because its data are probably not imported yet.
  const isComparable = sums !== undefined && !(isCut && isEmpty(sums.now));
  return {
    sums: data && sumsOf(data, service.role),
    compared: isComparable && comparison !== undefined ? sums : undefined,
    comparison: isCut && sums !== undefined && !isComparable ? undefined : comparison,
    isStale: isPlaceholderData,
    hasFailed: error !== null && data === undefined,
  };
}

/**
 * The hour of the response as `YYYY-MM-DD HH:00`. The page may show the response for hours, and the later ones are
 * not in it.
 */
function hourOf(dataUpdatedAt: number, timeZone: string): string {
  const time = Temporal.Instant.fromEpochMilliseconds(dataUpdatedAt).toZonedDateTimeISO(timeZone);
  return `${time.toPlainDate()} ${String(time.hour).padStart(2, '0')}:00`;
}
