/** Completes interrupted erasures when an embedded database is opened. */

import { DiskFull } from '../disk/disk-space.ts';
import { EngineFailure } from '../engine/engine.ts';
import { recoverErasures } from '../erasure/erase-transactions.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { UserError } from '../user-error.ts';

/**
 * Throws a UserError if an erasure cannot be completed. The database must not open then, because it could show
 * persons who were to be erased.
 */
export async function completeErasures(nodes: ClusterNodes, directory: string): Promise<void> {
  try {
    await recoverErasures(nodes, false);
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(
      `An erasure was interrupted and cannot be completed: ${reason}
  The database stays closed, because it could show the persons who were to be erased.`,
      remedyOf(cause, directory),
      { cause },
    );
  }
}

function remedyOf(cause: unknown, directory: string): string {
  const isDiskFull =
    cause instanceof DiskFull || (cause instanceof EngineFailure && cause.isDiskFull);
  const again = `transactions check --database chdb:${directory}`;
  if (isDiskFull)
    return `Free space for twice the largest month on the disk of ${directory}, then type: ${again}`;
  return `Type: ${again}. If it fails again, restore a backup into a new database with transactions restore, and erase the persons there again.`;
}
