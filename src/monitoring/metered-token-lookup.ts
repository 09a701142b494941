/** Lookup of access tokens, with its cache, its limits and its metrics. */

import type { AttemptBudget } from '../auth/attempt-budget.ts';
import { batchLookups } from '../auth/batched-lookup.ts';
import { type FindTokenFrom, limitInvalidTokens } from '../auth/invalid-token-limit.ts';
import type { Reader } from '../engine/engine.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { findTokens, validTokenHashes } from '../store/token-table.ts';
import { meteredTokenCache } from './metered-token-cache.ts';

/** Loads the hashes of valid tokens first, so that a flood of unknown tokens cannot lock them out after a restart. */
export async function meteredTokenLookup(
  engine: Reader,
  budget: AttemptBudget,
  metrics: Metrics,
): Promise<FindTokenFrom> {
  const lookUp = batchLookups((hashes) => findTokens(engine, hashes));
  const find = meteredTokenCache(lookUp, metrics, {
    version: () => engine.versions?.tokensAndValues,
  });
  return await limitInvalidTokens(find, { budget, loadHashes: () => validTokenHashes(engine) });
}
