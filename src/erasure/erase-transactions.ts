/**
 * Erases persons: finds their transactions, empties the personal fields or removes the rows, and
 * rewrites the files that contained the values.
 *
 * 1. The keys of the transactions are stored, and the erasure is marked as begun. If the process dies
 *    after this mark, a later process completes the erasure.
 * 2. The emptied rows are published like an import. From now on no reader sees a personal value.
 * 3. The months are rewritten without older versions, and the replaced files are deleted.
 */

import { randomBytes } from 'node:crypto';
import type { Kind } from '../contract/record/kinds.ts';
import { publishChangesAgain } from '../ingest/staging/publication-number.ts';
import { awaitReplication, type ClusterNodes } from '../schema/cluster-nodes.ts';
import { localTable } from '../schema/topology.ts';
import { awaitTransactions } from '../schema/transaction-tables.ts';
import { UserError } from '../user-error.ts';
import { dropDamage, refuseDamage } from './damaged-months.ts';
import { storeIdHashes, storeValueHashes } from './erased-hashes.ts';
import { dropErasedIds, erasuresWithIds, monthsOfErasure, storeErasedIds } from './erased-keys.ts';
import { type Erasure, noteErasure, unfinishedErasures, withHeartbeat } from './erasure-log.ts';
import { findMatches, type Match } from './find-matches.ts';
import { deleteOrphanedRows } from './orphaned-rows.ts';
import {
  ERASED_BY_IMPORTS,
  refuseAfterImports,
  refuseDuringImports,
  refuseDuringMaintenance,
} from './refuse-while-busy.ts';
import { deleteRows, dropLeftDrafts, removeReplacedParts, rewriteMonths } from './rewrite-parts.ts';
import type { ErasureCommand } from './selectors.ts';
import { publishEmptied } from './stage-emptied.ts';
import { verifyErasure } from './verify-erasure.ts';

/** How many transactions of a type and a month an erasure concerns. */
export interface ErasureGroup {
  readonly type: Kind;
  /** Such as `2026-03`. */
  readonly month: string;
  readonly transactions: number;
}

export interface ErasureReport {
  readonly groups: readonly ErasureGroup[];
  readonly seconds: number;
}

/** The groups of transactions that an erasure would concern. Changes nothing. */
export async function previewErasure(
  nodes: ClusterNodes,
  { selectors }: ErasureCommand,
): Promise<readonly ErasureGroup[]> {
  await refuseDamage(nodes);
  await awaitTransactions(nodes);
  return (await findMatches(nodes.engine, selectors)).map(groupOf);
}

const groupOf = ({ type, month, ids }: Match): ErasureGroup => ({
  type,
  month: `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`,
  transactions: ids.length,
});

/**
 * Erases the matching transactions. First completes erasures whose process died.
 *
 * `isShared` says that other processes may write to the database. `onBegin` is called before anything is stored.
 */
export async function eraseTransactions(
  nodes: ClusterNodes,
  { selectors, mode }: ErasureCommand,
  isShared: boolean,
  onBegin: () => Promise<void> = async () => {},
): Promise<readonly ErasureGroup[]> {
  await refuseDuringMaintenance(nodes, 'Nothing was erased yet.');
  await recoverErasures(nodes, isShared);
  // Checked before the hashes are stored. Once stored, they erase values from later imports, even if this erasure
  // is refused.
  await refuseDuringImports(nodes, 'Nothing was erased yet.');
  await refuseDamage(nodes);
  // The search may read any replica, so each must have all transactions. If this wait fails, no hashes are stored yet.
  await awaitTransactions(nodes);
  await onBegin();
  const erasure: Erasure = { id: randomBytes(8).toString('hex'), mode };
  await storeValueHashes(nodes, erasure, selectors);
  const matches = await findMatches(nodes.engine, selectors);
  if (matches.length > 0) {
    await storeErasedIds(nodes, erasure.id, matches);
    await storeIdHashes(nodes, erasure);
  }
  await refuseDuringImports(nodes, ERASED_BY_IMPORTS);
  await refuseDuringMaintenance(nodes, ERASED_BY_IMPORTS);
  if (isShared) await refuseAfterImports(nodes, selectors, matches);
  if (matches.length > 0) {
    await noteErasure(nodes, erasure, 'erasing');
    await complete(nodes, erasure);
  }
  return matches.map(groupOf);
}

/** Completes erasures that were marked as begun, and drops the keys of those that were not. */
export async function recoverErasures(nodes: ClusterNodes, isShared: boolean): Promise<void> {
  const unfinished = await unfinishedErasures(nodes);
  if (isShared && unfinished.some(({ isAlive }) => isAlive)) {
    throw new UserError(
      'Another erasure is under way, or its process died less than a minute ago.',
      'Wait a minute, then erase again.',
    );
  }
  for (const erasure of unfinished) {
    if (isShared && (await isCompleted(nodes, erasure))) await noteErasure(nodes, erasure, 'done');
    else await complete(nodes, erasure);
  }
  for (const server of nodes.servers) {
    for (const id of await erasuresWithIds(server, isShared ? ABANDONED : 0))
      await dropErasedIds(nodes, id);
  }
}

/**
 * Whether no server has the keys, which are dropped when an erasure is complete. A heartbeat of a suspended process may
 * mark it as begun again. The caller makes sure that all servers answer. An embedded database has no such processes:
 * there the keys are lost, and the erasure cannot be completed.
 */
async function isCompleted({ servers }: ClusterNodes, { id }: Erasure): Promise<boolean> {
  const found = await Promise.all(servers.map((server) => erasuresWithIds(server, 0)));
  return !found.flat().includes(id);
}

/** Seconds after which keys of an erasure not marked as begun are dropped. Its process has probably died. */
const ABANDONED = 3600;

/** Each step can be repeated, so an interrupted erasure starts again with the first one. */
async function complete(nodes: ClusterNodes, erasure: Erasure): Promise<void> {
  const { id, mode } = erasure;
  await withHeartbeat(nodes, erasure, async () => {
    const months = await monthsOfErasure(nodes, id);
    await dropDamage(nodes, months);
    if (mode === 'empty') await deleteOrphanedRows(nodes, id, months);
    await publishEmptied(nodes, id, months);
    // Nobody writes months again now: `publishEmptied` has looked for a lease, and none is given during an erasure.
    await dropLeftDrafts(nodes);
    await rewriteMonths(nodes, months);
    if (mode === 'remove') {
      await deleteRows(nodes, id);
      // Readers of the change feed get these changes again, and now see that the rows are gone.
      await publishChangesAgain(nodes, id);
    }
    await removeReplacedParts(nodes, months);
    await verifyErasure(nodes, erasure);
  });
  await noteErasure(nodes, erasure, 'done');
  // The keys of kept files contain a hash of the table `erasures`, which is read from any replica. With a replica
  // that lacks the new row, a key would still find a file from before the erasure.
  await awaitReplication(nodes, [localTable(nodes.topology, 'erasures')]);
  await dropErasedIds(nodes, id);
}
