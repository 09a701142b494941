/**
 * Reads a list as one stream of rendered records, which survives failures of the engine.
 *
 * Records are sent whole and in order, so the position of the last one is known. When the engine
 * fails, the stream resumes after that record. When the client stalls, the stream releases the
 * engine and resumes when the client reads again.
 */

import type { Priority } from '../concurrency/priority-queue.ts';
import { removeFrames } from '../engine/framing.ts';
import { countRows } from '../engine/row-count.ts';
import type { ListPlan } from '../plan/list-plan.ts';
import { clampToKeyset, hoursStatement, isFramed, listStatement } from '../plan/list-statement.ts';
import { isLong, slicesOf, sortedSlices, windowsOf } from '../plan/slices.ts';
import { type LastRecord, type PositionDeps, positionAfter } from './last-record.ts';
import { QueryAttempt } from './query-attempt.ts';
import { type RetentionCheck, RowsRemoved, retentionCheck } from './retention-check.ts';
import { RetryPolicy } from './retry.ts';

export interface ListStreamDeps extends PositionDeps {
  /** Called with the number of records of each block, before the block. */
  readonly onRows?: ((rows: number) => void) | undefined;
  /** The retention check of the response, if the response has already sent other records. */
  readonly isKept?: RetentionCheck;
}

interface SliceDeps extends PositionDeps {
  /** Throws `RowsRemoved` if retention removes rows of a plan. */
  readonly refuseRemoved: (plan: ListPlan) => Promise<void>;
}

/** Blocks of whole records. The caller owns the blocks. */
export async function* readList(
  plan: ListPlan,
  deps: ListStreamDeps,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const retry = new RetryPolicy(signal);
  if (deps.isKept !== undefined) retry.noteSent();
  const blocks = readBlocks(plan, deps, retry, signal);
  const boundaries = isFramed(plan) ? 'framed' : { lead: '\n' };
  for await (const block of blocks) {
    deps.onRows?.(countRows(block, boundaries));
    yield boundaries === 'framed' ? removeFrames(block) : block;
  }
}

/** Like `readList`, but framed records keep the headers of their frames. */
export async function* readBlocks(
  plan: ListPlan,
  deps: Omit<ListStreamDeps, 'onRows'>,
  retry: RetryPolicy,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const isKept = deps.isKept ?? retentionCheck(deps);
  const refuseRemoved = async (rest: ListPlan) => {
    if (!(await retry.run(() => isKept(rest)))) throw new RowsRemoved();
  };
  await refuseRemoved(plan);
  const slices = await retry.run(() => slicesFor(plan, deps, signal));
  for (const slice of slices) {
    yield* readSlice(slice, { ...deps, refuseRemoved }, retry, signal);
  }
}

async function slicesFor(
  plan: ListPlan,
  deps: PositionDeps,
  signal: AbortSignal,
): Promise<Iterable<ListPlan>> {
  const rest = clampToKeyset(plan);
  if (plan.dateField === 'created_at') {
    return slicesOf(rest, isLong(rest) ? await deps.tableVersions.periodOf(plan) : rest);
  }
  if (plan.limit !== undefined) return windowsOf(rest);
  const hours = await deps.reader.rows(hoursStatement(rest), signal);
  return sortedSlices(rest, hours);
}

/** Reads a slice in as many attempts as needed. Each starts after the last record of the one before. */
async function* readSlice(
  slice: ListPlan,
  deps: SliceDeps,
  retry: RetryPolicy,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let last: LastRecord | undefined;
  for (;;) {
    const plan = await retry.run(() => planAfter(last, slice, deps));
    await deps.refuseRemoved(plan);
    const statement = { ...listStatement(plan), priority: priorityOf(plan, retry) };
    try {
      const attempt = new QueryAttempt(deps.reader, statement, signal);
      let hasBegun = false;
      for await (const block of attempt.blocks()) {
        // The statement may have waited for others and begun after a removal.
        if (!hasBegun) await deps.refuseRemoved(plan);
        hasBegun = true;
        retry.noteSent();
        last = attempt.last;
        yield block;
      }
      if (!hasBegun) await deps.refuseRemoved(plan);
      if (!attempt.wasReleased) return;
      deps.onResumption?.('released');
    } catch (error) {
      if (error instanceof RowsRemoved) throw error;
      await retry.backOff(error);
      if (retry.hasSent) deps.onResumption?.('failed');
    }
  }
}

/** A page is sent only when it is complete, so it is never resumed. */
function priorityOf({ limit }: ListPlan, { hasSent }: RetryPolicy): Priority {
  if (limit !== undefined) return 'small';
  return hasSent ? 'resumed' : 'new';
}

async function planAfter(
  last: LastRecord | undefined,
  slice: ListPlan,
  deps: PositionDeps,
): Promise<ListPlan> {
  return last === undefined ? slice : { ...slice, after: await positionAfter(last, slice, deps) };
}
