/** LRU cache of token lookups with a short TTL, so that a busy client costs the database little. */

import { LRUCache, type Perf } from 'lru-cache';
import type { FindToken, TokenRecord } from './token-record.ts';

/** Milliseconds. A revoked token is refused after five seconds, of which two are for the lookup. */
const TTL = 3000;
const CAPACITY = 10_000;

/** The same lookup, cached. Concurrent lookups of one token share one; failures are not cached. */
export function cacheTokens(find: FindToken, clock: Perf = performance): FindToken {
  // Promises, not records: the TTL starts with the lookup, however long that takes.
  const cache = new LRUCache<string, Promise<TokenRecord | undefined>>({
    max: CAPACITY,
    ttl: TTL,
    ttlResolution: 0,
    perf: clock,
  });
  return async (hash) => {
    const cached = cache.get(hash);
    if (cached !== undefined) return await cached;
    const found = find(hash);
    cache.set(hash, found);
    try {
      return await found;
    } catch (error) {
      // A newer lookup may have replaced this one.
      if (cache.peek(hash) === found) cache.delete(hash);
      throw error;
    }
  };
}
