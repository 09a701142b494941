/**
 * Migrates servers while nothing else changes their rows.
 *
 * A migration copies the rows of a table into a new one, which then replaces another. Rows that an erasure or retention
 * removes meanwhile would come back.
 */

import { randomBytes } from 'node:crypto';
import { hasErasure } from '../erasure/erasure-log.ts';
import { ANY_ROW, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { localTable } from '../schema/topology.ts';
import { holdingLease, type RequireLease, takeLease } from '../schema/values/maintenance-lease.ts';
import { storedAddressVisibility } from '../schema/values/stored-address-visibility.ts';
import { tableComment } from '../schema/values/table-comment.ts';
import { UserError } from '../user-error.ts';
import { finishServerImports } from './finish-imports.ts';

/**
 * Runs a migration while it holds the lease on the rows. It must call `requireLease` before copied rows become visible.
 * First finishes or removes abandoned imports. Throws a UserError if another process may be changing rows.
 */
export async function migrateAlone(
  nodes: ClusterNodes,
  migrateAll: (requireLease: RequireLease) => Promise<void>,
): Promise<void> {
  const id = randomBytes(8).toString('hex');
  if (!(await takeLease(nodes, id))) {
    throw notMigrated(
      'Another process is migrating the database, changing IP_ADDRESSES, or removing rows that RETENTION does not keep.',
      'Wait until it has ended; if it died, that takes at most ten minutes.',
    );
  }
  const run = async (requireLease: RequireLease) => {
    // Imports and erasures record themselves before they look for the lease, so either they see it or are seen here.
    await finishServerImports(nodes);
    await refuseErasures(nodes);
    await migrateAll(requireLease);
  };
  await holdingLease(nodes, id, run, { lost: LEASE_LOST });
}

const LEASE_LOST =
  'The migration has stopped: the database did not answer for ten minutes, or another process began to change rows. Finish it: transactions migrate';

async function refuseErasures(nodes: ClusterNodes): Promise<void> {
  // A database of an earlier version may have no table of erasures.
  if ((await tableComment(nodes.engine, 'erasures')) === undefined) return;
  if (!(await hasErasure(nodes, await storedAddressVisibility(nodes.engine)))) return;
  throw notMigrated(
    'An erasure has not ended.',
    'Wait until it has ended, or erase again if it was interrupted. If the service was upgraded after it began, erase with the earlier version.',
  );
}

const notMigrated = (reason: string, next: string): UserError =>
  new UserError(
    `${reason} No existing table was changed.`,
    `${next} Then type again: transactions migrate`,
  );

/** The servers whose tables are complete; undefined if the creation of the database has not ended on any server. */
export async function createdNodesOf(all: ClusterNodes): Promise<ClusterNodes | undefined> {
  const { topology } = all;
  const comments = await Promise.all(all.servers.map((server) => tableComment(server, 'keys')));
  const servers = all.servers.filter((_, at) => comments[at] !== undefined);
  // The last step of the creation stores keys. They are on one shard, and another shard may not have any tables yet.
  const key = select(
    ANY_ROW,
    plainStatement(`SELECT 1 FROM ${localTable(topology, 'keys')} LIMIT 1`),
  );
  const found = await Promise.all(servers.map((server) => server.rows(key)));
  const [engine] = servers;
  return engine === undefined || found.flat().length === 0
    ? undefined
    : { engine, servers, topology };
}
