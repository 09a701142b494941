/** Remembers looked-up tokens for a moment, so that a busy client costs the database little. */

import type { FindToken, TokenRecord } from './token-record.ts';

/** How long an answer is believed, in milliseconds; a revocation is effective within 5 seconds. */
const MEMORY = 3000;
const CAPACITY = 10_000;

interface Memory {
  readonly record: Promise<TokenRecord | undefined>;
  readonly until: number;
}

/** The same lookup with a short memory; concurrent lookups of one token are one. */
export function cacheTokens(find: FindToken, now: () => number = Date.now): FindToken {
  const memories = new Map<string, Memory>();
  return (hash) => {
    const memory = memories.get(hash);
    if (memory !== undefined && memory.until > now()) return memory.record;
    memories.delete(hash);
    if (memories.size >= CAPACITY) memories.delete(memories.keys().next().value ?? hash);
    const fresh = { record: find(hash), until: now() + MEMORY };
    memories.set(hash, fresh);
    fresh.record.catch(() => {
      // By then there may be a newer answer under this hash.
      if (memories.get(hash) === fresh) memories.delete(hash);
    });
    return fresh.record;
  };
}
