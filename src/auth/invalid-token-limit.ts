/** Limits how many unknown tokens an address may send, before they are looked up. */

import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Problem } from '../contract/problems/problems.ts';
import type { FindToken, TokenRecord } from './token-record.ts';

/** Looks up a token that a client at this address has sent. */
export type FindTokenFrom = (hash: string, address: string) => Promise<TokenRecord | undefined>;

/** Seconds. */
const WINDOW = 60;

/** How many hashes of known tokens are remembered. The one unused for longest is forgotten first. */
const CAPACITY = 100_000;

/** Milliseconds between two loads of known tokens while tokens are refused. */
const LOAD_INTERVAL = 5000;

export interface InvalidTokenLimit {
  /** Unknown tokens from one address in a minute; 0 for no limit. */
  readonly limit: number;
  /** Hashes of valid tokens, so that a flood from a shared address locks none of them out. */
  readonly loadHashes: () => Promise<readonly string[]>;
}

/**
 * The same lookup. Throws the problem `too_many_invalid_tokens` for an unknown token from an address
 * that has reached the limit. Known tokens are never refused, also new ones after a few seconds.
 */
export async function limitInvalidTokens(
  find: FindToken,
  { limit, loadHashes }: InvalidTokenLimit,
): Promise<FindTokenFrom> {
  if (limit === 0) return find;
  const known = new LRUCache<string, true>({ max: CAPACITY });
  const counter = new RateLimiterMemory({ points: limit, duration: WINDOW });
  let loadedAt = 0;

  async function loadKnown(): Promise<void> {
    loadedAt = Date.now();
    for (const hash of await loadHashes()) known.set(hash, true);
  }

  async function refuse(msBeforeNext: number): Promise<never> {
    // If the database does not answer, a refusal after the next interval tries again.
    if (Date.now() - loadedAt >= LOAD_INTERVAL) loadKnown().catch(() => undefined);
    throw tooMany(msBeforeNext);
  }

  await loadKnown();
  return async (hash, address) => {
    if (known.get(hash)) return await find(hash);
    const network = networkOf(address);
    // Counted before the lookup, so that requests sent at once cannot exceed the limit.
    const { consumedPoints, msBeforeNext } = await counter.penalty(network);
    if (consumedPoints > limit) return await refuse(msBeforeNext);
    let isInvalid = false;
    try {
      const record = await find(hash);
      isInvalid = record === undefined;
      if (!isInvalid) known.set(hash, true);
      return record;
    } finally {
      // Valid tokens do not count, and neither does a lookup that the database did not answer.
      if (!isInvalid) await counter.reward(network);
    }
  };
}

function tooMany(msBeforeNext: number): Problem {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new Problem('too_many_invalid_tokens', { headers: { 'retry-after': String(seconds) } });
}

/** One client usually has a whole IPv6 network of 64 bits. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [before = '', after] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = before === '' ? [] : before.split(':');
  const omitted = after === undefined ? [] : Array<string>(8).fill('0');
  return [...groups, ...omitted].slice(0, 4).join(':');
}
