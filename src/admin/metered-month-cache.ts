/** Counts the hits and misses of the month cache. */

import type { Metrics } from '../metrics/metrics.ts';
import type { MonthCache } from '../months/month-cache.ts';

/** The methods that answer requests from months in memory. */
export type MonthAnswers = Pick<MonthCache, 'page' | 'list' | 'count'>;

export function meteredMonthCache(cache: MonthAnswers, metrics: Metrics): MonthAnswers {
  const count = (isHit: boolean): void => {
    const result = isHit ? 'hit' : 'miss';
    metrics.count('transactions_cache_lookups_total', { cache: 'months', result });
  };
  return {
    async page(plan) {
      const page = await cache.page(plan);
      count(page !== undefined);
      return page;
    },
    async list(plan, first) {
      const page = await cache.list(plan, first);
      // The database answers the rest.
      count(page?.isFollowed === false);
      return page;
    },
    async count(plan) {
      const found = await cache.count(plan);
      count(found !== undefined);
      return found;
    },
  };
}
