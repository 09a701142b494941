/** Download limit across all processes that share a Redis. */

import { randomUUID } from 'node:crypto';
import type { Allowance, DownloadLimit, DownloadSlot } from './limits.ts';
import type { RedisConnection } from './redis-connection.ts';

/** Milliseconds after which a lease expires if its process does not renew it. */
const LEASE_TIME = 30_000;

/**
 * Takes a slot; returns how many remain, or -1 if all are taken. A sorted set has the leases of a principal with the
 * times at which they expire. The times are on the clock of Redis, because the clocks of processes differ.
 */
const ACQUIRE = `
local at = redis.call('TIME')
local now = at[1] * 1000 + math.floor(at[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local remaining = ARGV[2] - redis.call('ZCARD', KEYS[1]) - 1
if remaining < 0 then return -1 end
redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return remaining`;

const RENEW = `
local at = redis.call('TIME')
local expiry = at[1] * 1000 + math.floor(at[2] / 1000) + ARGV[1]
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], expiry, ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

/** Writes too, so that a Redis that has become a replica refuses it instead of returning an old count. */
const COUNT = `
local at = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', at[1] * 1000 + math.floor(at[2] / 1000))
return redis.call('ZCARD', KEYS[1])`;

const keyOf = (principalId: string): string => `downloads:${principalId}`;

/**
 * Each download holds a lease in Redis, which is renewed while it runs. While Redis does not answer,
 * only the downloads of this process count; the next renewal adds them to Redis again.
 */
export class SharedDownloadLimit implements DownloadLimit {
  readonly limit: number;
  readonly #redis: RedisConnection;
  readonly #leaseTime: number;
  readonly #leases = new Map<string, Set<string>>();
  readonly #renewal: NodeJS.Timeout;

  constructor(limit: number, redis: RedisConnection, leaseTime: number = LEASE_TIME) {
    this.limit = limit;
    this.#redis = redis;
    this.#leaseTime = leaseTime;
    this.#renewal = setInterval(() => this.#renew(), leaseTime / 3).unref();
  }

  async acquire(principalId: string): Promise<DownloadSlot | undefined> {
    const lease = randomUUID();
    const key = keyOf(principalId);
    const answer = await this.#redis.evaluate(ACQUIRE, key, this.#leaseTime, this.limit, lease);
    const leases = this.#leases.get(principalId) ?? new Set();
    const remaining = answer ?? this.limit - leases.size - 1;
    if (remaining < 0) {
      // Redis may have run the script although its answer came too late.
      if (answer === undefined) this.#redis.removeMember(key, lease);
      return undefined;
    }
    this.#leases.set(principalId, leases.add(lease));
    return { remaining, release: () => this.#release(principalId, lease) };
  }

  #release(principalId: string, lease: string): void {
    const leases = this.#leases.get(principalId);
    if (!leases?.delete(lease)) return;
    if (leases.size === 0) this.#leases.delete(principalId);
    this.#redis.removeMember(keyOf(principalId), lease);
  }

  async remaining(principalId: string): Promise<Allowance> {
    const counted = await this.#redis.evaluate(COUNT, keyOf(principalId));
    const running = counted ?? this.#leases.get(principalId)?.size ?? 0;
    return { limit: this.limit, remaining: Math.max(0, this.limit - running) };
  }

  #renew(): void {
    for (const [principalId, leases] of this.#leases) {
      void this.#redis.evaluate(RENEW, keyOf(principalId), this.#leaseTime, ...leases);
    }
  }

  close(): void {
    clearInterval(this.#renewal);
  }
}
