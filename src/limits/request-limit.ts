/** Request limit: counts in fixed windows of a minute, each starting with a principal's first request. */

import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Allowance, RequestLimit } from './limits.ts';
import { WINDOW_SECONDS } from './limits.ts';
import type { RedisConnection } from './redis-connection.ts';

/** Counts in Redis, or in memory if there is no Redis or while Redis does not answer. */
export function requestLimit(limit: number, redis?: RedisConnection): RequestLimit {
  const window = { points: limit, duration: WINDOW_SECONDS };
  const local = new RateLimiterMemory(window);
  const counter =
    redis === undefined
      ? local
      : new RateLimiterRedis({
          ...window,
          storeClient: redis.client,
          keyPrefix: 'requests',
          insuranceLimiter: local,
        });
  const allowanceOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Allowance => ({
    limit,
    remaining: Math.max(0, limit - consumedPoints),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  });
  return {
    limit,
    async count(principalId) {
      // `consume` would reject a request that exceeds the limit; `penalty` only counts it.
      const counted = await counter.penalty(principalId);
      return { ...allowanceOf(counted), isWithin: counted.consumedPoints <= limit };
    },
    async remaining(principalId) {
      const counted = await counter.get(principalId);
      return counted === null ? { limit, remaining: limit, resetSeconds: 0 } : allowanceOf(counted);
    },
  };
}
