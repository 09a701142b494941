/** Limits how many unknown tokens an address may send before they are refused without a lookup. */

import { LRUCache } from 'lru-cache';
import { Problem } from '../contract/problems/problems.ts';
import type { AttemptBudget } from './attempt-budget.ts';
import type { FindToken, TokenRecord } from './token-record.ts';

/** Looks up a token that a client at this address has sent. */
export type FindTokenFrom = (hash: string, address: string) => Promise<TokenRecord | undefined>;

/** How many hashes of known tokens are remembered. The least recently used one is forgotten first. */
const CAPACITY = 100_000;

/** Milliseconds between two loads of known tokens while tokens are refused. */
const LOAD_INTERVAL = 5000;

export interface InvalidTokenLimit {
  /** Limits the unknown tokens from one address. */
  readonly budget: AttemptBudget;
  /** Loads the hashes of valid tokens, so that a flood from a shared address locks none of them out. */
  readonly loadHashes: () => Promise<readonly string[]>;
}

/**
 * Adds the limit to a lookup: it throws the problem `too_many_invalid_tokens` for an unknown token from an
 * address that has reached the limit. Known tokens are never refused. A new token from such an address may be
 * refused for a few seconds, until the hashes are loaded again.
 */
export async function limitInvalidTokens(
  find: FindToken,
  { budget, loadHashes }: InvalidTokenLimit,
): Promise<FindTokenFrom> {
  if (budget.limit === 0) return find;
  const known = new LRUCache<string, true>({ max: CAPACITY });
  let loadedAt = Number.NEGATIVE_INFINITY;

  async function loadKnown(): Promise<void> {
    loadedAt = performance.now();
    for (const hash of await loadHashes()) known.set(hash, true);
  }

  function loadAgain(): void {
    // If the database does not answer, a refusal after the next interval tries again.
    if (performance.now() - loadedAt >= LOAD_INTERVAL) loadKnown().catch(() => undefined);
  }

  await loadKnown();
  return async (hash, address) => {
    if (known.get(hash)) return await find(hash);
    try {
      const record = await budget.spend(address, async () => await find(hash));
      if (record !== undefined) known.set(hash, true);
      return record;
    } catch (error) {
      if (error instanceof Problem && error.code === 'too_many_invalid_tokens') loadAgain();
      throw error;
    }
  };
}
