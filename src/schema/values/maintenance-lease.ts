/** Lease on the rows of a database: while one process replaces months, no other does, and no import begins. */

import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { type Engine, isExclusive, type Reader } from '../../engine/engine.ts';
import { INTEGER, select } from '../../plan/select.ts';
import { command } from '../../plan/sql.ts';
import { awaitReplication, type ClusterNodes } from '../cluster-nodes.ts';
import { localTable } from '../topology.ts';
import { insertValue, storedValue, storeOnAllServers } from './stored-value.ts';

/** Seconds after which the lease of a process that died ends. */
const LASTS = 600;

/** Milliseconds after which processes that took the lease at the same time see which one wrote last, and so has it. */
const SETTLED = 2000;

const LEASE = v.object({ holder: v.string(), until: v.number() });

/** The holder of a lease that has not ended, by the clock of the server. */
export async function leaseHolder(reader: Reader): Promise<string | undefined> {
  const lease = await storedValue(reader, 'maintenance', LEASE);
  return lease === undefined || lease.until <= (await serverTime(reader))
    ? undefined
    : lease.holder;
}

/** Takes the lease. False if another process has it. */
export async function takeLease(nodes: ClusterNodes, holder: string): Promise<boolean> {
  if ((await leaseHolder(nodes.engine)) !== undefined) return false;
  try {
    await writeLease(nodes, holder);
    // No other process can open an embedded database, so there is nothing to wait for.
    if (!isExclusive(nodes.engine)) await delay(SETTLED);
    await awaitReplication(nodes, [localTable(nodes.topology, 'keys')]);
    return (await leaseHolder(nodes.engine)) === holder;
  } catch (error) {
    // A replica may have failed after the lease was stored, and imports should not wait until it ends.
    await endLease(nodes.engine, holder).catch(() => undefined);
    throw error;
  }
}

/** Waits for all replicas, because the lease is read from any of them. */
async function writeLease(nodes: ClusterNodes, holder: string): Promise<void> {
  const until = (await serverTime(nodes.engine)) + LASTS;
  await storeOnAllServers(nodes, 'maintenance', { holder, until });
}

/** Renews a lease that has not ended. False if it has, even if nobody else took it since. */
export async function renewLease(nodes: ClusterNodes, holder: string): Promise<boolean> {
  if ((await leaseHolder(nodes.engine)) !== holder) return false;
  await writeLease(nodes, holder);
  return true;
}

/** Does nothing if another process has the lease. */
export async function endLease(engine: Engine, holder: string): Promise<void> {
  if ((await leaseHolder(engine)) !== holder) return;
  await insertValue(engine, 'maintenance', { holder: '', until: 0 });
}

/** Milliseconds between two renewals. */
const RENEWAL = 60_000;

/**
 * Runs work while a lease is renewed, however long a step takes. `requireLease` throws once the lease has ended:
 * call it before each change that needs the lease.
 */
export async function holdingLease<Result>(
  nodes: ClusterNodes,
  holder: string,
  work: (requireLease: () => Promise<void>) => Promise<Result>,
  interval = RENEWAL,
): Promise<Result> {
  let isLost = false;
  // One after the other: a renewal that is still under way must not follow the end of the lease.
  let renewed = Promise.resolve();
  const renew = async () => {
    renewed = renewed
      .catch(() => undefined)
      .then(async () => {
        isLost ||= !(await renewLease(nodes, holder));
      });
    await renewed;
  };
  // A renewal that fails is tried again before the lease ends.
  const renewals = setInterval(() => void renew().catch(() => undefined), interval);
  const requireLease = async () => {
    await renew();
    if (isLost) throw new Error('The database was out of reach for ten minutes.');
  };
  try {
    return await work(requireLease);
  } finally {
    clearInterval(renewals);
    await renewed.catch(() => undefined);
    await endLease(nodes.engine, holder);
  }
}

async function serverTime(reader: Reader): Promise<number> {
  const now = command('SELECT toUnixTimestamp(now()) AS now');
  return (await reader.rows(select(v.object({ now: INTEGER }), now)))[0]?.now ?? 0;
}
