/** Throttles lookups of unknown tokens, so that a flood of them cannot delay known tokens. */

import { QueueFull, Semaphore } from '../concurrency/semaphore.ts';
import { Problem } from '../contract/problems/problems.ts';
import type { FindToken } from './token-record.ts';

/** Lookups of unknown tokens that run at a time, and that may wait. */
const LIMITS = { permits: 2, maxQueue: 200 };
/** How many known tokens are remembered. The oldest is forgotten first. */
const CAPACITY = 10_000;

/** The same lookup. Nobody guesses a token: this protects the database from load, not the data. */
export function throttleUnknownTokens(find: FindToken): FindToken {
  const known = new Set<string>();
  const semaphore = new Semaphore(LIMITS);
  return async (hash) => {
    if (known.has(hash)) return await find(hash);
    await semaphore.acquire().catch(refuse);
    try {
      const record = await find(hash);
      if (record !== undefined) known.add(hash);
      const [first] = known;
      if (known.size > CAPACITY && first !== undefined) known.delete(first);
      return record;
    } finally {
      semaphore.release();
    }
  };
}

function refuse(error: unknown): never {
  throw error instanceof QueueFull ? new Problem('busy', { cause: error }) : error;
}
