/** Changes what roles see of IP addresses, in all stored records of a database. */

import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import {
  type AddressVisibility,
  addressVisibilityText,
} from '../contract/record/address-visibility.ts';
import { ROLES, type Role } from '../contract/record/records.ts';
import { isExclusive } from '../engine/engine.ts';
import { hasErasure } from '../erasure/erasure-log.ts';
import { publishUnderNewNumber } from '../ingest/staging/publication-number.ts';
import { ABANDONED_AFTER, recoverImports } from '../ingest/staging/recover-others.ts';
import { stagingsIdleFor } from '../ingest/staging/staging.ts';
import { INTEGER, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { awaitFullReplication, type ClusterNodes } from '../schema/cluster-nodes.ts';
import {
  type AddressChange,
  dropAddressDrafts,
  rewriteShownAddresses,
} from '../schema/rewriting/rewrite-addresses.ts';
import { syncSchema } from '../schema/schema-sync.ts';
import { hasTransactions, localTransactionTables } from '../schema/transaction-tables.ts';
import { holdingLease, takeLease } from '../schema/values/maintenance-lease.ts';
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
 *
 * Throws if another process has the lease on the rows. Each of two processes would replace months of the other.
 */
export async function changeAddressVisibility(
  nodes: ClusterNodes,
  change: WantedChange,
): Promise<readonly string[]> {
  if ((await planOf(nodes, change)).roles.length === 0) return [];
  const id = randomBytes(8).toString('hex');
  if (!(await takeLease(nodes, id))) throw isLeased();
  return await holdingLease(
    nodes,
    id,
    // The plan is made again, because another process may have just made the change.
    async (requireLease) => await makeChange(nodes, change, { id, requireLease }),
    { lost: LEASE_LOST },
  );
}

const LEASE_LOST =
  'The change of IP_ADDRESSES has stopped: the database did not answer for ten minutes, or another process began a change. Finish it: transactions migrate';

interface Plan {
  readonly stored: StoredAddressVisibility;
  readonly addresses: AddressVisibility;
  /** The roles whose records are rendered again. */
  readonly roles: readonly Role[];
}

async function planOf({ engine }: ClusterNodes, { wanted }: WantedChange): Promise<Plan> {
  const stored = await storedAddressVisibility(engine);
  const addresses = wanted ?? stored.visibility;
  const roles = ROLES.filter(
    (role) => stored.isPending || stored.visibility[role] !== addresses[role],
  );
  return { stored, addresses, roles };
}

async function makeChange(
  nodes: ClusterNodes,
  change: WantedChange,
  lease: Pick<AddressChange, 'id' | 'requireLease'>,
): Promise<readonly string[]> {
  const { stored, addresses, roles } = await planOf(nodes, change);
  if (roles.length === 0) return [];
  const { timeZone, announce } = change;
  await stopImports(nodes, stored, addresses);
  announce(await costOf(nodes, roles, addresses));
  // Each replica renders its months again from its own rows, so it must have all of them.
  await awaitAllReplicas(nodes);
  const { topology } = nodes;
  for (const server of nodes.servers) {
    await dropAddressDrafts(server);
    for (const role of roles) {
      await rewriteShownAddresses(server, role, { timeZone, topology, addresses, ...lease });
    }
    // Notes that the changed columns agree with their definitions. Otherwise, a migration would seem to be due.
    await syncSchema(server, { timeZone, topology, addresses, ...lease });
  }
  // Lists are read from any replica, and must not show earlier records when the change has ended.
  await awaitAllReplicas(nodes);
  // Another change may have begun during the wait, and its months must not be announced as rendered.
  await lease.requireLease();
  // All records have changed, so readers of the change feed must begin again with a list. Batch 0 tells them so. In an
  // empty database no record has changed, and a webhook that was just added would stop.
  if (await hasTransactions(nodes.engine))
    await publishUnderNewNumber(nodes, { id: 'addresses', batch: 0 });
  // Last, because a change that stops before this is made and announced again.
  await storeAddressVisibility(nodes, { visibility: addresses, isPending: false });
  return [`IP addresses: ${addressVisibilityText(addresses)}`];
}

/**
 * Marks the change as pending. If an import or an erasure is running, takes the mark back and throws. These record
 * themselves before they look for the mark, so either they see it, or they are seen here.
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

const isLeased = (): UserError =>
  notMade(
    'another process is changing IP_ADDRESSES, migrating the database, or removing rows that RETENTION does not keep.',
    'Wait until it has ended; if it died, that takes at most ten minutes.',
  );

const notMade = (reason: string, next: string): UserError =>
  new UserError(
    `The change of IP_ADDRESSES was not made: ${reason}`,
    `${next} Then type again: transactions migrate`,
  );

/** Waits as often as needed. A failure would make the next migration render all records again. */
const awaitAllReplicas = async (nodes: ClusterNodes): Promise<void> =>
  await awaitFullReplication(nodes, localTransactionTables(nodes.topology));

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
