/**
 * Lease on the rows of a database: while one process replaces months or migrates servers, no other does, and no import
 * begins.
 */

import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { type Engine, isExclusive, type Reader } from '../../engine/engine.ts';
import { INTEGER, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import { awaitReplication, type ClusterNodes } from '../cluster-nodes.ts';
import { localTable } from '../topology.ts';
import { insertValue, storedValue } from './stored-value.ts';

/** Seconds after which the lease of a process that died ends. */
const LASTS = 600;

/** Milliseconds between writing the lease and reading who has it, because the last of concurrent writes counts. */
const SETTLED = 2000;

const LEASE = v.object({ holder: v.string(), until: v.number() });

/** Who holds the lease, unless it has ended by the clock of the server. Waits first for replicas that are late. */
export async function leaseHolder(nodes: ClusterNodes): Promise<string | undefined> {
  await awaitReplication(nodes, [localTable(nodes.topology, 'keys')]);
  const lease = await storedValue(nodes.engine, 'maintenance', LEASE);
  return lease === undefined || lease.until <= (await serverTime(nodes.engine))
    ? undefined
    : lease.holder;
}

/** Takes the lease. False if another process has it. */
export async function takeLease(nodes: ClusterNodes, holder: string): Promise<boolean> {
  if ((await leaseHolder(nodes)) !== undefined) return false;
  await writeLease(nodes.engine, holder);
  try {
    // No other process can open an embedded database, so there is nothing to wait for.
    if (!isExclusive(nodes.engine)) await delay(SETTLED);
    return (await leaseHolder(nodes)) === holder;
  } catch (error) {
    // If the wait fails, the lease stays stored. Without `endLease`, imports would be refused until it expires.
    await endLease(nodes, holder).catch(() => undefined);
    throw error;
  }
}

async function writeLease(engine: Engine, holder: string): Promise<void> {
  const until = (await serverTime(engine)) + LASTS;
  await insertValue(engine, 'maintenance', { holder, until });
}

/** Renews the lease of a holder. False if it has ended, even if nobody else has taken it since then. */
export async function renewLease(nodes: ClusterNodes, holder: string): Promise<boolean> {
  if ((await leaseHolder(nodes)) !== holder) return false;
  await writeLease(nodes.engine, holder);
  return true;
}

/** Does nothing if another process has the lease. */
export async function endLease(nodes: ClusterNodes, holder: string): Promise<void> {
  if ((await leaseHolder(nodes)) !== holder) return;
  await insertValue(nodes.engine, 'maintenance', { holder: '', until: 0 });
}

/** Ends the lease of a process that died. For an embedded database only: no other process has it open. */
export async function endAbandonedLease(nodes: ClusterNodes): Promise<void> {
  const holder = await leaseHolder(nodes);
  if (holder !== undefined) await endLease(nodes, holder);
}

/** Milliseconds between two renewals. */
const RENEWAL = 60_000;

const REMOVAL_LOST =
  'The removal of old transactions has stopped: the database did not answer for ten minutes, or another process began a removal. What is removed stays removed. For the rest, type: transactions retain';

export interface LeaseOptions {
  /** The message of the error if the lease has been lost. That of a removal by default. */
  readonly lost?: string;
  /** Milliseconds between two renewals. */
  readonly interval?: number;
}

/** Throws if the lease has been lost. */
export type RequireLease = () => Promise<void>;

/**
 * Runs work while a timer renews its lease, and then ends the lease. The work must call `requireLease` before
 * each change: it throws if the lease has been lost.
 */
export async function holdingLease<Result>(
  nodes: ClusterNodes,
  holder: string,
  work: (requireLease: RequireLease) => Promise<Result>,
  { lost = REMOVAL_LOST, interval = RENEWAL }: LeaseOptions = {},
): Promise<Result> {
  let isLost = false;
  // Renewals run one after the other. `endLease` follows the last one, so that none renews an ended lease.
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
    if (isLost) throw new Error(lost);
  };
  try {
    return await work(requireLease);
  } finally {
    clearInterval(renewals);
    await renewed.catch(() => undefined);
    await endLease(nodes, holder);
  }
}

async function serverTime(reader: Reader): Promise<number> {
  const now = plainStatement('SELECT toUnixTimestamp(now()) AS now');
  return (await reader.rows(select(v.object({ now: INTEGER }), now)))[0]?.now ?? 0;
}
