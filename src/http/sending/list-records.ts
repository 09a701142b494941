/** The records of a list: all of them or the first ones from the month cache, the others from the engine. */

import type { ListPlan } from '../../plan/list-plan.ts';
import { type ListStreamDeps, readList } from '../../reading/list-stream.ts';
import { retentionCheck } from '../../reading/retention-check.ts';
import { RetryPolicy } from '../../reading/retry.ts';
import type { ListDeps } from './send-page.ts';

/** Records of a long list that are sent from the cache before the engine reads the rest. */
export const FIRST_RECORDS = 500;

/** Blocks of whole records. The caller owns the blocks. */
export async function* listRecords(
  plan: ListPlan,
  deps: ListStreamDeps & ListDeps,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { monthCache, reader, onRows } = deps;
  // The cache and the engine share one check. It notices if retention removes records after the first part was sent.
  const isKept = retentionCheck(deps);
  if (monthCache !== undefined) await new RetryPolicy(signal).run(() => isKept(plan));
  // While other queries wait, the cache answers only if it has all records. The engine may refuse the query
  // for the rest, and a response that has begun would then be cut.
  const page = reader.isContended
    ? await monthCache?.page(plan)
    : await monthCache?.list(plan, FIRST_RECORDS);
  if (page === undefined) return yield* readList(plan, deps, signal);
  onRows?.(page.rows);
  if (page.bytes.length > 0) yield page.bytes;
  if (!page.isFollowed || page.last === undefined) return;
  yield* readList({ ...plan, after: page.last }, { ...deps, isKept }, signal);
}
