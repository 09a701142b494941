/**
 * Reads a report as one stream of rendered records, however long it is and whatever happens to the
 * engine or the reader meanwhile.
 *
 * Records go out whole and in order, so the place of the last one is known. When the engine fails,
 * the stream goes on after it. When the reader stalls, it lets go of the engine and takes it up
 * again when the reader does.
 */

import type { Priority } from '../concurrency/priority-queue.ts';
import { unframed } from '../engine/framing.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import {
  clampToKeyset,
  hoursStatement,
  isFramed,
  reportStatement,
} from '../plan/report-statement.ts';
import { isLong, slicesOf, sortedSlices, windowsOf } from '../plan/slices.ts';
import { type Mark, type PositionDeps, positionAfter } from './last-record.ts';
import { Run } from './query-attempt.ts';
import { RetryPolicy } from './retry.ts';

/** Blocks of whole records as their form writes them; the reader owns the blocks. */
export async function* readReport(
  plan: ReportPlan,
  source: PositionDeps,
  signal: AbortSignal,
): AsyncIterableIterator<Uint8Array> {
  const failures = new RetryPolicy(signal);
  const cached = await failures.untilDone(async () => await source.monthCache?.recordsOf(plan));
  if (cached?.length) yield cached;
  if (cached !== undefined) return;
  const blocks = readBlocks(plan, source, failures, signal);
  if (!isFramed(plan)) yield* blocks;
  else for await (const block of blocks) yield unframed(block);
}

/** Blocks as the engine gives them, with their frames where they have any. */
export async function* readBlocks(
  plan: ReportPlan,
  source: PositionDeps,
  failures: RetryPolicy,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const slices = await failures.untilDone(() => slicesFor(plan, source, signal));
  for (const slice of slices) yield* readSlice(slice, source, failures, signal);
}

async function slicesFor(
  plan: ReportPlan,
  source: PositionDeps,
  signal: AbortSignal,
): Promise<Iterable<ReportPlan>> {
  if (plan.dateField === 'created_at') {
    return slicesOf(plan, isLong(plan) ? await source.tableVersions.periodOf(plan) : plan);
  }
  const rest = clampToKeyset(plan);
  if (plan.limit !== undefined) return windowsOf(rest);
  const hours = await source.reader.rows(hoursStatement(rest), signal);
  return sortedSlices(rest, hours);
}

/** Reads a slice in as many runs as it takes, each after the last record of the one before. */
async function* readSlice(
  slice: ReportPlan,
  source: PositionDeps,
  failures: RetryPolicy,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let last: Mark | undefined;
  for (;;) {
    const plan = await failures.untilDone(() => planAfter(last, slice, source));
    const statement = { ...reportStatement(plan), priority: priorityOf(plan, failures) };
    try {
      const run = new Run(source.reader, statement, signal);
      for await (const block of run.blocks()) {
        failures.noteSent();
        last = run.last;
        yield block;
      }
      if (!run.wasLetGo) return;
    } catch (error) {
      await failures.overcome(error);
    }
  }
}

/** A page has not begun before it is whole. */
function priorityOf({ limit }: ReportPlan, { hasSent }: RetryPolicy): Priority {
  if (limit !== undefined) return 'small';
  return hasSent ? 'resumed' : 'new';
}

async function planAfter(
  last: Mark | undefined,
  slice: ReportPlan,
  source: PositionDeps,
): Promise<ReportPlan> {
  return last === undefined ? slice : { ...slice, after: await positionAfter(last, slice, source) };
}
