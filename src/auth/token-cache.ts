/** LRU cache of token lookups with a short TTL, so that a busy client costs the database little. */

import { LRUCache } from 'lru-cache';
import type { FindToken, TokenRecord } from './token-record.ts';

/** Milliseconds that a lookup stays valid. If lookups take 2 s at most, a revoked token is refused within 5 s. */
const TTL = 3000;
const CAPACITY = 10_000;

export interface TokenCacheOptions {
  /** The version of tokens. As long as it is the same, lookups stay valid. Undefined if other processes can write. */
  readonly version?: () => number | undefined;
  readonly clock?: { readonly now: () => number };
}

interface Lookup {
  readonly found: Promise<TokenRecord | undefined>;
  /** The version when the lookup started. */
  readonly version: number | undefined;
  readonly startedAt: number;
}

/** Adds the cache to a lookup. Concurrent requests with one token share a lookup. Failures are not cached. */
export function cacheTokens(
  find: FindToken,
  { version = () => undefined, clock = performance }: TokenCacheOptions = {},
): FindToken {
  const cache = new LRUCache<string, Lookup>({ max: CAPACITY });
  const isValid = (lookup: Lookup): boolean =>
    clock.now() - lookup.startedAt <= TTL ||
    (lookup.version !== undefined && lookup.version === version());
  return async (hash) => {
    const cached = cache.get(hash);
    if (cached !== undefined && isValid(cached)) return await cached.found;
    const lookup = { version: version(), startedAt: clock.now(), found: find(hash) };
    cache.set(hash, lookup);
    try {
      return await lookup.found;
    } catch (error) {
      // A newer lookup may have replaced this one.
      if (cache.peek(hash) === lookup) cache.delete(hash);
      throw error;
    }
  };
}
