/** Finishes or removes what other imports left, before an import, an erasure, a backup or a removal begins. */

import { isExclusive } from '../../engine/engine.ts';
import type { ClusterNodes } from '../../schema/cluster-nodes.ts';
import { endAbandonedLease, leaseHolder } from '../../schema/values/maintenance-lease.ts';
import { finishMarkedImports, markPublicationsDone, recoverImports } from './publishing.ts';

/** Seconds without a write after which an import on a server counts as abandoned. */
export const ABANDONED_AFTER = 3600;

/** Prefix of the ids under which removals of old rows are marked in the table `imports`. */
export const REMOVAL_PREFIX = 'retention-';

/**
 * Finishes imports that are complete, but not wholly visible. On servers, it finishes only abandoned imports,
 * and removes the staging tables of all abandoned ones.
 *
 * In an embedded database only this process imports, one import at a time, so such an import has failed. Other
 * staging tables are not removed there, because they may belong to a running backup.
 */
export async function recoverAbandonedImports(nodes: ClusterNodes): Promise<void> {
  if (isExclusive(nodes.engine)) return await finishFailedImport(nodes);
  await recoverImports(nodes, ABANDONED_AFTER);
  await endDeadRemovals(nodes);
}

/**
 * Marks removals as done whose process died before it could. The mark would keep backups from being made, and make
 * every import publish all its rows as changes. The next removal removes what is left.
 */
export async function endDeadRemovals(nodes: ClusterNodes): Promise<void> {
  // An embedded database has no such marks. While a process has the lease, the mark may be its own.
  if (isExclusive(nodes.engine) || (await leaseHolder(nodes)) !== undefined) return;
  await markPublicationsDone(nodes, REMOVAL_PREFIX);
}

/** Finishes or removes what a killed process left in an embedded database, when this process has opened it. */
export async function recoverEmbedded(nodes: ClusterNodes): Promise<void> {
  await endAbandonedLease(nodes);
  await recoverImports(nodes);
}

/** Finishes an import of this process that failed after its rows were complete. Embedded database only. */
export async function finishFailedImport(nodes: ClusterNodes): Promise<void> {
  if (!isExclusive(nodes.engine)) return;
  try {
    await finishMarkedImports(nodes);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `An earlier import is complete, but could not be made visible, so nothing else was done: ${message}`,
      { cause },
    );
  }
}
