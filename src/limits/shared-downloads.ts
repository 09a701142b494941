/** The downloads that run in all processes that share a Redis. */

import { randomUUID } from 'node:crypto';
import type { Allowance, DownloadLimit, Place } from './limits.ts';
import type { RedisLink } from './redis-link.ts';

/** Milliseconds after which a place counts as free, where its process no longer says that it is not. */
const LEASE = 30_000;

/** A set of leases by the moment of their end, on the clock of Redis, as those of processes differ. */
const BEGIN = `
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
local untilThen = at[1] * 1000 + math.floor(at[2] / 1000) + ARGV[1]
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], untilThen, ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

const COUNT = `
local at = redis.call('TIME')
return redis.call('ZCOUNT', KEYS[1], '(' .. at[1] * 1000 + math.floor(at[2] / 1000), '+inf')`;

const keyOf = (principalId: string): string => `downloads:${principalId}`;

/**
 * Leases in Redis, renewed while their downloads run. While Redis does not answer, the downloads of
 * this process count; when it does again, it learns of them with the next renewal.
 */
export class SharedDownloads implements DownloadLimit {
  readonly limit: number;
  readonly #redis: RedisLink;
  readonly #lease: number;
  readonly #held = new Map<string, Set<string>>();
  readonly #renewal: NodeJS.Timeout;

  constructor(limit: number, redis: RedisLink, lease: number = LEASE) {
    this.limit = limit;
    this.#redis = redis;
    this.#lease = lease;
    this.#renewal = setInterval(() => this.#renew(), lease / 3).unref();
  }

  async begin(principalId: string): Promise<Place | undefined> {
    const lease = randomUUID();
    const key = keyOf(principalId);
    const answer = await this.#redis.ask(BEGIN, key, this.#lease, this.limit, lease);
    const held = this.#held.get(principalId) ?? new Set();
    const remaining = answer ?? this.limit - held.size - 1;
    if (remaining < 0) {
      // What Redis answered too late may yet have been done.
      if (answer === undefined) this.#redis.forget(key, lease);
      return undefined;
    }
    this.#held.set(principalId, held.add(lease));
    return { remaining, free: () => this.#free(principalId, lease) };
  }

  #free(principalId: string, lease: string): void {
    const held = this.#held.get(principalId);
    if (!held?.delete(lease)) return;
    if (held.size === 0) this.#held.delete(principalId);
    this.#redis.forget(keyOf(principalId), lease);
  }

  async left(principalId: string): Promise<Allowance> {
    const running = await this.#redis.ask(COUNT, keyOf(principalId));
    const counted = running ?? this.#held.get(principalId)?.size ?? 0;
    return { limit: this.limit, remaining: Math.max(0, this.limit - counted) };
  }

  #renew(): void {
    for (const [principalId, leases] of this.#held) {
      void this.#redis.ask(RENEW, keyOf(principalId), this.#lease, ...leases);
    }
  }

  close(): void {
    clearInterval(this.#renewal);
  }
}
