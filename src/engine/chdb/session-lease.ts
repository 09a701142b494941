/** Leases a session of the embedded engine for one statement, and kills the statement on an abort. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from 'chdb';
import type { Pool, PooledResource } from '../../concurrency/pool.ts';
import type { PermitRequest } from '../../concurrency/semaphore.ts';
import { asEngineBusy } from '../query-limits.ts';

/** Milliseconds between two attempts to kill a query. */
const KILL_INTERVAL = 100;

export interface LeaseOptions extends PermitRequest {
  readonly pool: Pool<Session>;
  /** The session that kills queries. It does nothing else, because a kill blocks its session. */
  readonly control: Session;
  /** An abort stops the query. */
  readonly signal: AbortSignal;
}

/**
 * Leases a session until the lease is disposed of. The session is then free for the next user: its query has
 * left the engine, and no kill is under way that could hit the next query.
 */
export async function leaseSession(options: LeaseOptions): Promise<SessionLease> {
  const lease = await options.pool.acquire(options).catch((error: unknown) => {
    throw asEngineBusy(error);
  });
  return new SessionLease(options, lease);
}

export class SessionLease implements AsyncDisposable {
  readonly session: Session;
  /** Identifies the query of this session in the engine. */
  readonly name: string;
  /** Set when the query has ended by itself. Any other query is killed. */
  isDone = false;
  readonly #options: LeaseOptions;
  readonly #lease: PooledResource<Session>;
  readonly #disposed = new AbortController();
  #killing: Promise<void> | undefined;

  constructor(options: LeaseOptions, lease: PooledResource<Session>) {
    this.session = lease.resource;
    this.name = lease.name;
    this.#options = options;
    this.#lease = lease;
    options.signal.addEventListener('abort', this.#stop, { once: true });
    if (options.signal.aborted) this.#stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { pool, signal, client } = this.#options;
    if (!this.isDone) this.#stop();
    this.#disposed.abort();
    signal.removeEventListener('abort', this.#stop);
    await this.#killing;
    if (!this.isDone) await this.#reset();
    pool.release(this.#lease, client);
  }

  /** Canceling the stream would wait for its next block. Killing the query does not. */
  readonly #stop = (): void => {
    this.#killing ??= this.#kill();
  };

  /** Repeats the kill, as the first one misses a query that is just starting. */
  async #kill(): Promise<void> {
    const text = `KILL QUERY WHERE Settings['log_comment'] = '${this.name}' ASYNC`;
    const pause = async () => await delay(KILL_INTERVAL, true, { signal: this.#disposed.signal });
    do await this.#options.control.queryAsync(text).catch(() => undefined);
    while (await pause().catch(() => false));
  }

  /** Runs another query, because the engine keeps a failed or killed query and its memory until then. */
  async #reset(): Promise<void> {
    await this.session.queryAsync('SELECT 1').catch(() => undefined);
  }
}
