/** Finishes or removes what other imports left, before an import, an erasure, a backup or a removal begins. */

import { setTimeout as delay } from 'node:timers/promises';
import { isExclusive } from '../../engine/engine.ts';
import { TAKEOVER_AFTER } from '../../reading/publication-times.ts';
import { awaitReplication, type ClusterNodes } from '../../schema/cluster-nodes.ts';
import { localTable } from '../../schema/topology.ts';
import { endAbandonedLease, leaseHolder } from '../../schema/values/maintenance-lease.ts';
import { UserError } from '../../user-error.ts';
import { markImport, publishingImports } from './import-state.ts';
import { finishPublication } from './publishing.ts';
import { dropStaging, type Staging, stagingsIdleFor } from './staging.ts';

/** Seconds without a write after which an import that is not marked as complete counts as abandoned on a server. */
export const ABANDONED_AFTER = 3600;

/** Prefix of the ids under which removals of old rows are marked in the table `imports`. */
export const REMOVAL_PREFIX = 'retention-';

/**
 * Finishes imports that are complete, but not wholly visible. On servers, it waits for those whose processes still
 * publish them, finishes the abandoned ones, and removes the staging tables of all abandoned imports.
 *
 * In an embedded database only this process imports, one import at a time, so such an import has failed. Other
 * staging tables are not removed there, because they may belong to a running backup.
 */
export async function recoverAbandonedImports(nodes: ClusterNodes): Promise<void> {
  if (isExclusive(nodes.engine)) return await finishFailedImport(nodes);
  await recoverImports(nodes, ABANDONED_AFTER);
  await awaitMarkedImports(nodes);
  await endDeadMarks(nodes);
}

/** Milliseconds between two looks at the marks of other imports, and the longest wait for them. */
const CHECK_INTERVAL = 1000;
const LONGEST_WAIT = 2 * TAKEOVER_AFTER * 1000;

/**
 * Waits until no other import is marked as complete and not wholly visible. Finishes those whose processes died.
 * Otherwise they would be finished after the import that follows, and their older rows would count.
 */
export async function awaitMarkedImports(nodes: ClusterNodes, signal?: AbortSignal): Promise<void> {
  // The only process of an embedded database runs one import at a time.
  if (isExclusive(nodes.engine)) return;
  const end = performance.now() + LONGEST_WAIT;
  for (;;) {
    const marked = await markedStagings(nodes);
    await recoverStagings(nodes, marked.filter(isAbandoned));
    if (marked.every(isAbandoned)) return;
    if (performance.now() > end) throw isStillPublishing();
    await delay(CHECK_INTERVAL);
    signal?.throwIfAborted();
  }
}

const isStillPublishing = (): UserError =>
  new UserError(
    'Another import is still becoming visible, so nothing was changed.',
    'Wait until it has ended, then repeat the command.',
  );

/**
 * Marks removals and imports as done that no process will end. Their marks would keep backups from being made, and make
 * every import publish all its rows as changes. The next removal removes what is left.
 */
export async function endDeadMarks(nodes: ClusterNodes): Promise<void> {
  // An embedded database has no such marks: only this process removes its staging tables, after it ended their mark.
  if (isExclusive(nodes.engine)) return;
  // While a process has the lease, the mark of a removal may be its own.
  if ((await leaseHolder(nodes)) === undefined) await markRemovalsDone(nodes);
  await endLostMarks(nodes);
}

/**
 * Marks imports as done whose staging tables were dropped by hand, so that nothing can finish them. Then throws, so that
 * the operator learns of the rows that may be missing. The next call does not throw.
 */
async function endLostMarks(nodes: ClusterNodes): Promise<void> {
  // A server that does not answer may have the staging tables.
  if (nodes.isIncomplete) return;
  const staged = new Set((await stagingsIdleFor(nodes, 0)).map(({ id }) => id));
  const lost = [...(await marksOf(nodes))].filter(
    ([id, age]) => age >= ABANDONED_AFTER && !id.startsWith(REMOVAL_PREFIX) && !staged.has(id),
  );
  for (const [id] of lost) await markImport(nodes, { id }, 'done');
  const [first] = lost;
  if (first !== undefined) throw hasLostRows(first[1]);
}

const hasLostRows = (seconds: number): UserError => {
  const marked = new Date(Date.now() - seconds * 1000).toISOString();
  return new UserError(
    `An import was interrupted while it became visible, at ${marked}, and its staging tables are gone: some of its rows may be missing.`,
    'Import its files again. Then repeat this command: it does not wait for the interrupted import any more.',
  );
};

/** Marks unfinished removals as done. Their processes must have died. */
export async function markRemovalsDone(nodes: ClusterNodes): Promise<void> {
  for (const id of (await publishingImports(nodes.engine)).keys())
    if (id.startsWith(REMOVAL_PREFIX)) await markImport(nodes, { id }, 'done');
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

/**
 * Finishes imports that were being published, and removes the staging tables of abandoned imports.
 *
 * With `idleSeconds`, leaves imports alone that another process may run: those that were marked as complete a short
 * time ago, and those that are not marked and wrote anything in the last `idleSeconds`.
 */
export async function recoverImports(nodes: ClusterNodes, idleSeconds = 0): Promise<void> {
  const staged = await stagingsIdleFor(nodes, idleSeconds);
  if (idleSeconds === 0) return await recoverStagings(nodes, staged);
  const marked = await markedStagings(nodes);
  const isMarked = new Set(marked.map(({ id }) => id));
  const unmarked = staged.filter(({ id }) => !isMarked.has(id));
  await recoverStagings(nodes, [...marked.filter(isAbandoned), ...unmarked]);
}

interface Marked extends Staging {
  /** Seconds since the last mark. */
  readonly age: number;
}

const isAbandoned = ({ age }: Marked): boolean => age >= TAKEOVER_AFTER;

/** The imports with staging tables that are marked as complete and not wholly visible. */
async function markedStagings(nodes: ClusterNodes): Promise<readonly Marked[]> {
  const staged = await stagingsIdleFor(nodes, 0);
  // A database without staging tables may be new. It then lacks the table in which imports are marked.
  if (staged.length === 0) return [];
  const marks = await marksOf(nodes);
  return staged.flatMap((staging) => {
    const age = marks.get(staging.id);
    return age === undefined ? [] : [{ ...staging, age }];
  });
}

/** A server that was away may not know yet that an import has ended. */
async function marksOf(nodes: ClusterNodes): Promise<ReadonlyMap<string, number>> {
  await awaitReplication(nodes, [localTable(nodes.topology, 'imports')]);
  return await publishingImports(nodes.engine);
}

/**
 * Finishes those of the given imports that were being published, and removes the staging tables of all.
 * None of them may still be running.
 */
export async function recoverStagings(
  nodes: ClusterNodes,
  left: readonly Staging[],
): Promise<void> {
  if (left.length === 0) return;
  // The earliest first: of equally new versions of a row, the one that is published last wins.
  for (const id of (await marksOf(nodes)).keys()) {
    const staging = left.find((one) => one.id === id);
    if (staging !== undefined) await finishPublication(nodes, staging);
  }
  for (const staging of left) await dropStaging(nodes, staging);
}

/** Finishes imports that were marked as complete and are not wholly visible. Leaves all others as they are. */
export async function finishMarkedImports(nodes: ClusterNodes): Promise<void> {
  await recoverStagings(nodes, await markedStagings(nodes));
}
