/** Lease on the rows of a database: while one process replaces months, no other does, and no import begins. */

import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { type Engine, isExclusive, type Reader } from '../../engine/engine.ts';
import { INTEGER, select } from '../../plan/select.ts';
import { command } from '../../plan/sql.ts';
import { insertValue, storedValue } from './stored-value.ts';

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
export async function takeLease(engine: Engine, holder: string): Promise<boolean> {
  if ((await leaseHolder(engine)) !== undefined) return false;
  await renewLease(engine, holder);
  // No other process can open an embedded database, so there is nothing to wait for.
  if (!isExclusive(engine)) await delay(SETTLED);
  return (await leaseHolder(engine)) === holder;
}

export const renewLease = async (engine: Engine, holder: string): Promise<void> => {
  const until = (await serverTime(engine)) + LASTS;
  await insertValue(engine, 'maintenance', { holder, until });
};

export const endLease = async (engine: Engine): Promise<void> =>
  await insertValue(engine, 'maintenance', { holder: '', until: 0 });

async function serverTime(reader: Reader): Promise<number> {
  const now = command('SELECT toUnixTimestamp(now()) AS now');
  return (await reader.rows(select(v.object({ now: INTEGER }), now)))[0]?.now ?? 0;
}
