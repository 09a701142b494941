/** Changes what roles see of IP addresses, in all stored records of a database. */

import * as v from 'valibot';
import {
  type AddressVisibility,
  addressVisibilityText,
} from '../contract/record/address-visibility.ts';
import { ROLES, type Role } from '../contract/record/records.ts';
import { EngineFailure, isExclusive } from '../engine/engine.ts';
import { unfinishedErasures } from '../erasure/erasure-log.ts';
import { publishNumber } from '../ingest/staging/publication-number.ts';
import { recoverImports } from '../ingest/staging/publishing.ts';
import { ABANDONED_AFTER } from '../ingest/staging/recover-others.ts';
import { stagingsIdleFor } from '../ingest/staging/staging.ts';
import { INTEGER, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { awaitReplication, type ClusterNodes } from '../schema/cluster-nodes.ts';
import { rewriteShownAddresses } from '../schema/rewriting/rewrite-addresses.ts';
import { localTransactionTables } from '../schema/transaction-tables.ts';
import { leaseHolder } from '../schema/values/maintenance-lease.ts';
import {
  type StoredAddressVisibility,
  storeAddressVisibility,
  storedAddressVisibility,
} from '../schema/values/stored-address-visibility.ts';
import { UserError } from '../user-error.ts';

/** Receives a line for the operator. */
export type Announce = (line: string) => void;

export interface WantedChange {
  readonly timeZone: string;
  /** Undefined to only finish a change that was interrupted. */
  readonly wanted: AddressVisibility | undefined;
  readonly announce: Announce;
}

/**
 * Renders the records again for each role whose visibility changes. Returns what was done.
 *
 * First marks the change as pending. Until the change has ended, imports are refused and the service does not
 * start. The next `transactions migrate` finishes an interrupted change.
 */
export async function changeAddressVisibility(
  nodes: ClusterNodes,
  { timeZone, wanted, announce }: WantedChange,
): Promise<readonly string[]> {
  const stored = await storedAddressVisibility(nodes.engine);
  const addresses = wanted ?? stored.visibility;
  const roles = ROLES.filter(
    (role) => stored.isPending || stored.visibility[role] !== addresses[role],
  );
  if (roles.length === 0) return [];
  await stopImports(nodes, stored, addresses);
  announce(await costOf(nodes, roles, addresses));
  for (const server of nodes.servers) {
    for (const role of roles) {
      await rewriteShownAddresses(server, role, { timeZone, topology: nodes.topology, addresses });
    }
  }
  // Lists are read from any replica, and must not show earlier records when the change has ended.
  await awaitAllReplicas(nodes);
  await storeAddressVisibility(nodes, { visibility: addresses, isPending: false });
  // All records have changed, so readers of the change feed must begin again with a list. Batch 0 tells them so.
  await publishNumber(nodes, { id: 'addresses', batch: 0 });
  return [`IP addresses: ${addressVisibilityText(addresses)}`];
}

/**
 * Marks the change as pending. If an import, an erasure or a removal of old rows is running, takes the mark back and
 * throws. These record themselves before they look for the mark, so either they see it, or they are seen here.
 */
async function stopImports(
  nodes: ClusterNodes,
  stored: StoredAddressVisibility,
  visibility: AddressVisibility,
): Promise<void> {
  await recoverImports(nodes, isExclusive(nodes.engine) ? 0 : ABANDONED_AFTER);
  await storeAddressVisibility(nodes, { visibility, isPending: true });
  const obstacle = await obstacleTo(nodes, stored);
  if (obstacle === undefined) return;
  await storeAddressVisibility(nodes, stored);
  throw obstacle;
}

async function obstacleTo(
  nodes: ClusterNodes,
  stored: StoredAddressVisibility,
): Promise<UserError | undefined> {
  if ((await leaseHolder(nodes)) !== undefined) {
    return notMade(
      'rows that RETENTION does not keep are being removed.',
      'Wait until the removal has ended; if its process died, that takes at most ten minutes.',
    );
  }
  if ((await stagingsIdleFor(nodes, 0)).length > 0) {
    return notMade(
      'an import is running, or was interrupted less than an hour ago.',
      'Wait until it has ended, or until an hour after its interruption.',
    );
  }
  if (await hasErasure(nodes, stored)) {
    return notMade(
      'an erasure has not ended.',
      'Wait until it has ended, or erase again if it was interrupted.',
    );
  }
  return undefined;
}

/**
 * Whether an erasure is running, or must be completed first. None runs in an embedded database that is migrated. If a
 * change was interrupted too, it is finished first, because an erasure is refused while a change is pending.
 */
async function hasErasure(nodes: ClusterNodes, stored: StoredAddressVisibility): Promise<boolean> {
  if (isExclusive(nodes.engine)) return false;
  const unfinished = await unfinishedErasures(nodes);
  return unfinished.some(({ isAlive }) => isAlive || !stored.isPending);
}

const notMade = (reason: string, next: string): UserError =>
  new UserError(
    `The change of IP_ADDRESSES was not made: ${reason}`,
    `${next} Then type again: transactions migrate`,
  );

/** Waits as often as needed. A failure would make the next migration render all records again. */
async function awaitAllReplicas(nodes: ClusterNodes): Promise<void> {
  try {
    await awaitReplication(nodes, localTransactionTables(nodes.topology));
  } catch (error) {
    if (!(error instanceof EngineFailure && error.isTimeout)) throw error;
    await awaitAllReplicas(nodes);
  }
}

async function costOf(
  { engine, servers }: ClusterNodes,
  roles: readonly Role[],
  addresses: AddressVisibility,
): Promise<string> {
  const size = select(
    v.object({ rows: INTEGER, months: INTEGER }),
    plainStatement(`SELECT sum(rows) AS rows, uniqExact(partition_id) AS months FROM system.parts
WHERE active AND database = currentDatabase() AND table IN ('transactions', 'transactions_local')`),
  );
  const sizes = (await Promise.all(servers.map((server) => server.rows(size)))).flat();
  const rows = sizes.reduce((all, one) => all + one.rows, 0).toLocaleString('en');
  const months = Math.max(0, ...sizes.map((one) => one.months));
  const meanwhile = isExclusive(engine)
    ? 'The service cannot run until the change has ended.'
    : 'Reports stay available. Imports are refused until the change has ended.';
  return `Rendering the records of ${roles.join(' and ')} again, with ${addressVisibilityText(addresses)}: ${rows} rows in ${months} months, one month at a time. This takes about as long as importing them (a fifth of that if only the records of affiliates change) and needs the disk space of the largest month. ${meanwhile}`;
}
