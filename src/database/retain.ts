/** Removes the rows that retention does not keep, whole months at a time. */

import { randomBytes } from 'node:crypto';
import { todayIn } from '../contract/query/calendar.ts';
import { type KeptFrom, keptFrom, type Retention } from '../contract/record/retention.ts';
import { isExclusive } from '../engine/engine.ts';
import { unfinishedErasures } from '../erasure/erasure-log.ts';
import { isRemovalPublished, publishRemoval } from '../ingest/announce-removal.ts';
import { publishAtomically, waitForOtherProcesses } from '../ingest/staging/publishing.ts';
import {
  ABANDONED_AFTER,
  markRemovalsDone,
  REMOVAL_PREFIX,
  recoverImports,
} from '../ingest/staging/recover-others.ts';
import { stagingsIdleFor } from '../ingest/staging/staging.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import {
  countExpired,
  dropDrafts,
  type Expired,
  prepareRemoval,
  type Removal,
} from '../schema/rewriting/remove-months.ts';
import { awaitTransactions } from '../schema/transaction-tables.ts';
import { numberedFirstKeptMonths, storeFirstKeptMonths } from '../schema/values/kept-months.ts';
import { holdingLease, takeLease } from '../schema/values/maintenance-lease.ts';
import { storedAddressVisibility } from '../schema/values/stored-address-visibility.ts';
import { UserError } from '../user-error.ts';

export interface RetentionCommand {
  readonly retention: Retention;
  /** Only report what would be removed. */
  readonly isDryRun: boolean;
}

export interface RetentionOptions {
  /**
   * Called right before the rows of a month disappear, so that no crash can hide a removal. If the removal then fails,
   * the next one calls it again.
   */
  readonly onMonth?: ((removed: readonly Expired[]) => Promise<void>) | undefined;
}

/** What was removed, or would be. */
export interface RetentionReport {
  readonly keptFrom: KeptFrom;
  readonly removed: readonly Expired[];
}

/**
 * Removes what retention does not keep. Can be repeated, also after a crash. Throws if an import, a backup, an
 * erasure, another removal, a change of IP_ADDRESSES or a migration has not ended.
 */
export async function retain(
  nodes: ClusterNodes,
  timeZone: string,
  { retention, isDryRun }: RetentionCommand,
  options: RetentionOptions = {},
  today = todayIn(timeZone),
): Promise<RetentionReport> {
  const kept = keptFrom(retention, today);
  const expired = await countExpired(nodes, kept);
  const stored = await numberedFirstKeptMonths(nodes.engine);
  const isKnown =
    JSON.stringify(stored.value) === JSON.stringify(kept) &&
    (await isRemovalPublished(nodes, stored));
  if (isDryRun || (expired.length === 0 && isKnown)) return { keptFrom: kept, removed: expired };
  const id = randomBytes(8).toString('hex');
  if (!(await takeLease(nodes, id)))
    throw isBusy(
      'another process is removing rows, changing IP_ADDRESSES or migrating the database.',
    );
  return await holdingLease(nodes, id, async (requireLease) => {
    const removed = await removeAll(nodes, kept, { ...options, id, requireLease });
    await publishRemoval(nodes);
    return { keptFrom: kept, removed };
  });
}

interface RemovalRun extends RetentionOptions {
  readonly id: string;
  /** Throws if imports may have begun, because the lease has ended. */
  readonly requireLease: () => Promise<void>;
}

/** Returns what was removed. */
async function removeAll(
  nodes: ClusterNodes,
  kept: KeptFrom,
  { id, onMonth, requireLease }: RemovalRun,
): Promise<readonly Expired[]> {
  const { engine, servers, topology } = nodes;
  // In an embedded database, interrupted imports were finished when it was opened. LocalOperator.retain has
  // finished one that failed since then.
  if (!isExclusive(engine)) {
    await recoverImports(nodes, ABANDONED_AFTER);
    await markRemovalsDone(nodes);
  }
  const staged = await stagingsIdleFor(nodes, 0);
  if (staged.length > 0) throw isBusy('an import or a backup is running.');
  if ((await unfinishedErasures(nodes)).length > 0)
    throw isBusy('an erasure has not ended.', 'erase again');
  const { visibility: addresses, isPending } = await storedAddressVisibility(engine);
  if (isPending) throw isBusy('a change of IP_ADDRESSES has not ended.', 'transactions migrate');
  // Each replica writes its months again from its own rows, so it must have all of them.
  await awaitTransactions(nodes);
  // Counted again, because replicas may have been behind, and an import may have ended before the lease was taken.
  const removed = await countExpired(nodes, kept);
  for (const server of servers) await dropDrafts(server);
  // Stored before the removal, so that imports refuse the rows from now on.
  await cutDownloads(nodes, kept);
  try {
    for (const [month, rows] of Map.groupBy(removed, (row) => row.month)) {
      const kinds = rows.map(({ type }) => type);
      const removal = { month, removed: kinds, topology, addresses, id };
      const cut = async () => await cutDownloads(nodes, kept);
      const allow = async () => {
        await requireLease();
        await cut();
        await requireLease();
        await onMonth?.(rows);
      };
      await removeMonth(nodes, removal, { allow, cut });
    }
  } finally {
    for (const server of servers) await dropDrafts(server, id);
  }
  return removed;
}

/** Cuts running downloads of rows that are not kept. They would otherwise go on without these rows. */
async function cutDownloads(nodes: ClusterNodes, kept: KeptFrom): Promise<void> {
  await storeFirstKeptMonths(nodes, kept);
  await waitForOtherProcesses(nodes);
}

interface RemovalSteps {
  /** Runs before the rows disappear. Throws if an import may have begun, because its rows would be lost. */
  readonly allow: () => Promise<void>;
  /** Cuts the downloads that began after the months were stored and before the rows disappeared. */
  readonly cut: () => Promise<void>;
}

/** Prepares the removal of a month, and then publishes it. */
async function removeMonth(
  nodes: ClusterNodes,
  removal: Removal,
  { allow, cut }: RemovalSteps,
): Promise<void> {
  const publishing: (() => Promise<void>)[] = [];
  for (const server of nodes.servers) publishing.push(await prepareRemoval(server, removal));
  await allow();
  const publishAll = async () => {
    try {
      for (const publish of publishing) await publish();
      // Lists are read from any replica, and must not show the rows when the removal has ended.
      await awaitTransactions(nodes);
    } finally {
      // Also after a failure, because some rows may have disappeared. A part of the publication, so that the barrier
      // of a cluster holds statements until every process has noticed.
      await cut();
    }
  };
  // An embedded database needs no publishAtomically, although its tables change one after another. An entity tag
  // covers every table that its response may be read from, so the first change invalidates the tag.
  if (isExclusive(nodes.engine)) return await publishAll();
  await publishAtomically(
    nodes,
    { id: `${REMOVAL_PREFIX}${removal.id}-${removal.month}` },
    publishAll,
  );
}

/** `finish` says how to finish what was interrupted. */
const isBusy = (reason: string, finish?: string): UserError =>
  new UserError(
    `Nothing was removed: ${reason}`,
    finish === undefined
      ? 'Wait until it has ended, then type again: transactions retain'
      : `Wait until it has ended, or finish it if it was interrupted: ${finish}. Then type again: transactions retain`,
  );
