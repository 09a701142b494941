/** Reads the changes after a position, and waits for some if there are none. */

import type { FastifyReply } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';
import type { ChangePlan } from '../../plan/changes/change-plan.ts';
import type { FeedHead } from '../../plan/changes/publication-statements.ts';
import { type Change, readChangePage } from '../../reading/changes/change-page.ts';
import type { ChangeWaiters } from '../../reading/changes/change-waiters.ts';
import {
  isExpired,
  type PublicationLog,
  UnknownPosition,
} from '../../reading/changes/publication-log.ts';
import { RetryPolicy } from '../../reading/retry.ts';
import { releaseAtClose, takeDownloadSlot } from '../guards/admission.ts';
import type { ClientPosition } from '../pagination/change-cursor.ts';
import type { ReportRequest, ReportRouteDeps } from './report-route.ts';

export interface FeedDeps extends ReportRouteDeps {
  readonly publications: PublicationLog;
  readonly waiters: ChangeWaiters;
  /** The platform's time zone. */
  readonly timeZone: string;
}

/** What a request reads, and for whom. */
export interface Following extends Pick<ReportRequest<unknown>, 'reader' | 'principal'> {
  readonly plan: ChangePlan;
  readonly reply: FastifyReply;
  /** Seconds to wait for changes. */
  readonly wait: number;
}

export interface FollowedChanges {
  readonly changes: readonly Change[];
  readonly next: ClientPosition;
}

/** Throws the problem `changes_expired` if changes after the position are missing. */
export async function awaitChanges(
  from: ClientPosition,
  following: Following,
  deps: FeedDeps,
  signal: AbortSignal,
): Promise<FollowedChanges> {
  const { plan, wait } = following;
  const end = performance.now() + wait * 1000;
  for (let position = from; ; ) {
    const page = await readChanges(position, following, deps, signal);
    const left = end - performance.now();
    if (page.changes.length > 0 || left <= 0 || deps.waiters.isClosed) return page;
    const { next } = page;
    const number = await deps.waiters.wait(next.number, plan.publisherIds, left, signal);
    position = { ...next, number };
  }
}

export const headOf = async (
  { publications }: Pick<FeedDeps, 'publications'>,
  signal: AbortSignal,
  read: 'head' | 'presentHead' = 'head',
): Promise<FeedHead> => await new RetryPolicy(signal).run(() => publications[read]());

/**
 * Reads the changes after a position. Takes a download slot if anything was published after it. Keeps the slot
 * until the changes are sent, or releases it after the read if there are none.
 */
async function readChanges(
  position: ClientPosition,
  { plan, reply, reader, principal, wait }: Following,
  deps: FeedDeps,
  signal: AbortSignal,
): Promise<FollowedChanges> {
  const { publications, limits } = deps;
  // Readers that wait share a head, which may be a second old on ClickHouse servers. So even thousands of readers
  // cause only one statement a second.
  const head = await headOf(deps, signal, wait > 0 ? 'head' : 'presentHead');
  refuseExpired(position, head);
  if (head.newest <= position.number) return { changes: [], next: position };
  const release = await takeDownloadSlot(reply, principal.id, limits);
  let isSending = false;
  try {
    const { changes, next } = await readChangePage(
      plan,
      position,
      { reader, publications },
      signal,
    );
    // The changes may have been removed while they were read.
    refuseExpired(position, await headOf(deps, signal));
    const { origin, kinds } = position;
    isSending = changes.length > 0;
    return { changes, next: { ...next, origin, kinds } };
  } catch (error) {
    throw error instanceof UnknownPosition ? new Problem('changes_expired') : error;
  } finally {
    if (isSending) releaseAtClose(reply, release);
    else release();
  }
}

function refuseExpired(position: ClientPosition, head: FeedHead): void {
  if (isExpired(position, head)) throw new Problem('changes_expired');
}
