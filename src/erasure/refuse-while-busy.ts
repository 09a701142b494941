/** Refuses an erasure while another process imports, backs up, or writes months again. */

import { isDeepStrictEqual } from 'node:util';
import { stagingsIdleFor } from '../ingest/staging/staging.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { awaitTransactions } from '../schema/transaction-tables.ts';
import { leaseHolder } from '../schema/values/maintenance-lease.ts';
import { storedAddressVisibility } from '../schema/values/stored-address-visibility.ts';
import { UserError } from '../user-error.ts';
import { findMatches, type Match } from './find-matches.ts';
import type { ErasureCommand } from './selectors.ts';

/**
 * Throws if an import or a backup is under way. An import that began before the hashes were stored does not apply
 * them, so it would publish the values later. A backup would keep copies of the files with the values.
 */
export async function refuseDuringImports(nodes: ClusterNodes, soFar: string): Promise<void> {
  if ((await stagingsIdleFor(nodes, 0)).length > 0) throw isBusy(soFar);
}

/**
 * Throws while other processes write months again or migrate. They begin only if no erasure is marked as begun. One
 * that begins after this check is noticed by `openStaging`, and the next erasure then completes this one.
 */
export async function refuseDuringMaintenance(nodes: ClusterNodes, soFar: string): Promise<void> {
  // First, because a change of IP_ADDRESSES has the lease too.
  if ((await storedAddressVisibility(nodes.engine)).isPending) {
    throw new UserError(
      'A change of IP_ADDRESSES has not ended.',
      `Wait until it has ended, or finish it if it was interrupted: transactions migrate. Then erase again. ${soFar}`,
    );
  }
  if ((await leaseHolder(nodes)) !== undefined) {
    throw new UserError(
      'Rows that RETENTION does not keep are being removed, a change of IP_ADDRESSES begins, or the database is being migrated.',
      `Wait until that has ended; if its process died, that takes at most ten minutes. Then erase again. ${soFar}`,
    );
  }
}

/** An import of another process may have ended since the transactions were found. */
export async function refuseAfterImports(
  nodes: ClusterNodes,
  selectors: ErasureCommand['selectors'],
  before: readonly Match[],
): Promise<void> {
  await awaitTransactions(nodes);
  const found = await findMatches(nodes.engine, selectors);
  if (!isDeepStrictEqual(found, before)) throw isBusy(ERASED_BY_IMPORTS);
}

/** The end of an error message: the state of an erasure that has only stored its hashes. */
export const ERASED_BY_IMPORTS =
  'No stored transaction was changed yet, but imports already erase the values from older rows.';

const isBusy = (soFar: string): UserError =>
  new UserError(
    'A backup or an import is under way, or was interrupted less than an hour ago.',
    `Wait until it has ended, then erase again. ${soFar}`,
  );
