/**
 * Batches lookups of tokens: those that arrive while one statement runs share the next one.
 *
 * A crowd of tokens, valid or not, therefore costs the database one statement at a time, and no token
 * waits for more than two statements unless thousands wait.
 */

import { Problem } from '../contract/problems/problems.ts';
import type { FindToken, FindTokens, TokenRecord } from './token-record.ts';

/** Hashes in one statement. */
const BATCH_SIZE = 1000;
/** Hashes that may wait. */
const MAX_WAITING = 10_000;

interface Waiting {
  readonly hash: string;
  readonly resolve: (record: TokenRecord | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** The same lookup for one token. Throws the problem `busy` if too many tokens wait. */
export function batchLookups(findTokens: FindTokens): FindToken {
  const queue: Waiting[] = [];
  let isRunning = false;

  async function answer(batch: readonly Waiting[]): Promise<void> {
    try {
      const hashes = new Set(batch.map(({ hash }) => hash));
      const records = await findTokens([...hashes]);
      for (const { hash, resolve } of batch) resolve(records.get(hash));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function answerAll(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) await answer(queue.splice(0, BATCH_SIZE));
    isRunning = false;
  }

  return async (hash) => {
    if (queue.length >= MAX_WAITING) throw new Problem('busy');
    const { promise, resolve, reject } = Promise.withResolvers<TokenRecord | undefined>();
    queue.push({ hash, resolve, reject });
    if (!isRunning) void answerAll();
    return await promise;
  };
}
