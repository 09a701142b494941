/** Caches token lookups, and counts hits and misses. */

import { cacheTokens, type TokenCacheOptions } from '../auth/token-cache.ts';
import type { FindToken } from '../auth/token-record.ts';
import type { Metrics } from '../metrics/metrics.ts';

export function meteredTokenCache(
  find: FindToken,
  metrics: Metrics,
  options: TokenCacheOptions,
): FindToken {
  let misses = 0;
  const cached = cacheTokens(async (hash) => {
    misses += 1;
    return await find(hash);
  }, options);
  return async (hash) => {
    const before = misses;
    // The cache starts a lookup before it awaits anything, so a miss is counted as soon as this call returns.
    const found = cached(hash);
    const result = misses === before ? 'hit' : 'miss';
    metrics.count('transactions_cache_lookups_total', { cache: 'tokens', result });
    return await found;
  };
}
