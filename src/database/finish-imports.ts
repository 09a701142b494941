/**
 * Finishes interrupted imports before a database is migrated.
 *
 * A migration does not change staging tables, and rows can be attached only to a table with the same columns.
 */

import { isUnanswered } from '../engine/engine.ts';
import {
  ABANDONED_AFTER,
  finishMarkedImports,
  recoverImports,
} from '../ingest/staging/recover-others.ts';
import { stagingsIdleFor } from '../ingest/staging/staging.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { UserError } from '../user-error.ts';

/** Finishes the import that a killed process was publishing into an embedded database. */
export async function finishEmbeddedImport(nodes: ClusterNodes): Promise<void> {
  // A database without staging tables may be new. It then lacks the table in which imports are marked.
  if (!(await hasStagings(nodes))) return;
  await finishing(
    finishMarkedImports(nodes),
    'An import was interrupted while it became visible, and cannot be finished',
    'If the disk is full, free space and start again. If the service was upgraded after the import, start the earlier version once, then upgrade.',
  );
}

/** Finishes or removes abandoned imports on servers. Throws a UserError if others are left, which may be running. */
export async function finishServerImports(nodes: ClusterNodes): Promise<void> {
  if (!(await hasStagings(nodes))) return;
  await finishing(
    recoverImports(nodes, ABANDONED_AFTER),
    'What an interrupted import left cannot be finished or removed',
    'If the disk is full, free space, then type again: transactions migrate. If the service was upgraded after the import, import with the earlier version once, then upgrade.',
    isUnanswered,
  );
  if (!(await hasStagings(nodes))) return;
  throw new UserError(
    'An import, erasure, backup or restore is running, or was interrupted less than an hour ago. No existing table was changed.',
    'Wait until it has ended, or an hour after its interruption. Then type again: transactions migrate\n  If nothing is running and this lasts longer: drop the tables whose names begin with import_, then import again what may be missing',
  );
}

const hasStagings = async (nodes: ClusterNodes): Promise<boolean> =>
  (await stagingsIdleFor(nodes, 0)).length > 0;

/** Says what has failed and what to do, unless the error says so itself, or the caller does so for it. */
async function finishing(
  work: Promise<void>,
  problem: string,
  next: string,
  isLeftToCaller: (cause: unknown) => boolean = () => false,
): Promise<void> {
  try {
    await work;
  } catch (cause) {
    if (cause instanceof UserError || isLeftToCaller(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(`${problem}: ${reason}`, next, { cause });
  }
}
