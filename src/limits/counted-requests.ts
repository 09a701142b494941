/** Counts requests in windows of a minute that begin with a principal's first one. */

import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Allowance, RequestLimit } from './limits.ts';
import { WINDOW } from './limits.ts';
import type { RedisLink } from './redis-link.ts';

/** In the memory of this process, or in Redis, and in memory again while Redis does not answer. */
export function countedRequests(limit: number, redis?: RedisLink): RequestLimit {
  const window = { points: limit, duration: WINDOW };
  const own = new RateLimiterMemory(window);
  const counter =
    redis === undefined
      ? own
      : new RateLimiterRedis({
          ...window,
          storeClient: redis.client,
          keyPrefix: 'requests',
          insuranceLimiter: own,
        });
  const allowance = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Allowance => ({
    limit,
    remaining: Math.max(0, limit - consumedPoints),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  });
  return {
    limit,
    async count(principalId) {
      // The counter's own `consume` reports what is one too many as a rejection.
      const counted = await counter.penalty(principalId);
      return { ...allowance(counted), isWithin: counted.consumedPoints <= limit };
    },
    async left(principalId) {
      const counted = await counter.get(principalId);
      return counted === null ? { limit, remaining: limit, resetSeconds: 0 } : allowance(counted);
    },
  };
}
