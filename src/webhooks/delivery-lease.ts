/** A lease in the table of progress, so that only one of several processes delivers webhooks. */

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { type Engine, isExclusive, type Servers } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, plainStatement, sql, statementOf } from '../plan/sql.ts';
import { nextVersion, SETTLED } from './next-version.ts';

/** Seconds after which another process takes over from one that died, by the clock of the database server. */
const LASTS = 60;

/** Milliseconds between two renewals. */
const RENEWAL = 15_000;

/** A process stops deliveries this many milliseconds before its lease ends, so that a message can end in time. */
const MARGIN = 20_000;

const TABLE = 'webhook_progress';

const STORED = v.object({ now: INTEGER, newest: INTEGER, stored: v.string() });

const storedIn = (table: string) =>
  select(
    STORED,
    plainStatement(`SELECT toUnixTimestamp(now()) AS now, max(version) AS newest, argMax(value, version) AS stored
FROM ${table} WHERE id = ''`),
  );

const LEASE = v.object({ holder: v.string(), until: v.number() });

const NO_LEASE = { holder: '', until: 0 };

interface LeaseOptions {
  /** The servers of a cluster. */
  readonly servers?: Servers | undefined;
  /** The wait between writing the lease and reading who has it, in milliseconds. */
  readonly settled?: number;
}

export class DeliveryLease {
  readonly #engine: Engine;
  readonly #servers: Servers | undefined;
  readonly #settled: number;
  readonly #holder = randomUUID();
  #heldUntil = 0;
  #renewAt = 0;

  constructor(engine: Engine, { servers, settled = SETTLED }: LeaseOptions = {}) {
    this.#engine = engine;
    this.#servers = servers;
    this.#settled = settled;
  }

  /** Whether this process may deliver. With an embedded database it always may: no other process has that open. */
  get isHeld(): boolean {
    return isExclusive(this.#engine) || performance.now() < this.#heldUntil;
  }

  /** Takes the lease if it is free, or renews it if that is due. */
  async update(): Promise<void> {
    if (isExclusive(this.#engine) || performance.now() < this.#renewAt) return;
    const asked = performance.now();
    const isHeld = await this.#takeOrRenew();
    this.#heldUntil = isHeld ? asked + LASTS * 1000 - MARGIN : 0;
    this.#renewAt = isHeld ? asked + RENEWAL : 0;
  }

  /** Gives the lease up, so that another process need not wait until it expires. */
  async end(): Promise<void> {
    const isHeld = !isExclusive(this.#engine) && this.isHeld;
    this.#heldUntil = 0;
    if (!isHeld) return;
    const stored = await this.#read();
    if (stored.lease.holder === this.#holder) await this.#store(NO_LEASE, stored);
  }

  async #takeOrRenew(): Promise<boolean> {
    const stored = await this.#read();
    const { holder, until } = stored.lease;
    const isOurs = holder === this.#holder;
    if (!isOurs && until > stored.now) return false;
    await this.#store({ holder: this.#holder, until: stored.now + LASTS }, stored);
    // While our own lease is valid, no other process takes it. Otherwise another one may have written it at
    // the same moment: wait, and then look whose lease is stored.
    if (isOurs && until > stored.now + MARGIN / 1000) return true;
    await delay(this.#settled);
    return (await this.#read()).lease.holder === this.#holder;
  }

  async #read() {
    const row = await newestStored(this.#engine, this.#servers);
    const { now = 0, newest: version = 0, stored = '' } = row ?? {};
    const lease = stored === '' ? NO_LEASE : v.parse(LEASE, JSON.parse(stored));
    return { now, version, lease };
  }

  async #store(lease: typeof NO_LEASE, { version }: { readonly version: number }): Promise<void> {
    const value = bind('String', JSON.stringify(lease));
    await this.#engine.execute(
      statementOf(
        sql`INSERT INTO webhook_progress SELECT '', ${bind('UInt64', nextVersion(version))}, ${value}`,
      ),
    );
  }
}

/** The newest lease on all servers that answer. A replica that is behind may show one that was renewed meanwhile. */
async function newestStored(engine: Engine, servers: Servers | undefined) {
  if (servers === undefined) return (await engine.rows(storedIn(TABLE)))[0];
  const stored = storedIn(servers.localTableOf(TABLE));
  const answers = await Promise.allSettled(
    servers.readers.map(async (server) => await server.rows(stored)),
  );
  const rows = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (rows.length === 0 && failed !== undefined) throw failed.reason;
  return rows.toSorted((one, other) => other.newest - one.newest)[0];
}
