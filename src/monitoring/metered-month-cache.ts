/** Counts the hits and misses of the month cache. */

import type { Metrics } from '../metrics/metrics.ts';
import type { MonthAnswers } from '../months/month-cache.ts';

export function meteredMonthCache(cache: MonthAnswers, metrics: Metrics): MonthAnswers {
  const countLookup = (isHit: boolean): void => {
    const result = isHit ? 'hit' : 'miss';
    metrics.count('transactions_cache_lookups_total', { cache: 'months', result });
  };
  return {
    async page(plan) {
      const page = await cache.page(plan);
      countLookup(page !== undefined);
      return page;
    },
    async list(plan, firstRows) {
      const page = await cache.list(plan, firstRows);
      // A partial answer counts as a miss: the database reads the rest.
      countLookup(page?.isFollowed === false);
      return page;
    },
    async count(plan) {
      const found = await cache.count(plan);
      countLookup(found !== undefined);
      return found;
    },
  };
}
