/** Counts the hits and misses of the month cache. */

import type { Metrics } from '../metrics/metrics.ts';
import type { MonthCache } from '../months/month-cache.ts';

/** The methods that answer requests from months in memory. */
export type MonthAnswers = Pick<MonthCache, 'page' | 'count'>;

export function meteredMonthCache(cache: MonthAnswers, metrics: Metrics): MonthAnswers {
  const counted = <Answer>(answer: Answer | undefined): Answer | undefined => {
    const result = answer === undefined ? 'miss' : 'hit';
    metrics.count('transactions_cache_lookups_total', { cache: 'months', result });
    return answer;
  };
  return {
    page: async (plan) => counted(await cache.page(plan)),
    count: async (plan) => counted(await cache.count(plan)),
  };
}
