/**
 * Batches lookups of tokens: those that arrive while one statement runs share the next one.
 *
 * Even many tokens at once, valid or not, cost the database only one statement at a time. As long as
 * at most a thousand wait, each of them waits for two statements at most.
 */

import { Problem } from '../contract/problems/problems.ts';
import type { FindToken, FindTokens, TokenRecord } from './token-record.ts';

/** The maximum number of hashes in one statement. */
const BATCH_SIZE = 1000;
/** The maximum number of hashes that wait. */
const MAX_WAITING = 10_000;

interface Waiting {
  readonly hash: string;
  readonly resolve: (record: TokenRecord | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Looks up single tokens, in batches. Throws the problem `busy` if too many tokens wait. */
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
