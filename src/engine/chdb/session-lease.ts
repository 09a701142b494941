/** A session of the embedded engine for as long as one statement runs in it. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from 'chdb';
import type { Lease, Pool } from '../../concurrency/pool.ts';
import type { Priority } from '../../concurrency/priority-queue.ts';
import { asEngineBusy } from '../query-limits.ts';

/** Milliseconds after which a query that is to stop is killed once more. */
const NEXT_KILL = 100;

/** What becomes of the query in a session. */
export interface Lending {
  readonly pool: Pool<Session>;
  /** Kills what runs in sessions: such a session answers nothing else meanwhile. */
  readonly control: Session;
  /** An abort stops the query. */
  readonly signal: AbortSignal;
  readonly priority: Priority | undefined;
}

/**
 * Lends a session until it is disposed of: then nothing of its query is left in the engine, and the
 * next borrower's is not met by a kill that was meant for it.
 */
export async function leaseSession(lending: Lending): Promise<SessionLease> {
  const { pool, signal, priority } = lending;
  const lease = await pool.acquire(signal, priority).catch((error: unknown) => {
    throw asEngineBusy(error);
  });
  return new SessionLease(lending, lease);
}

export class SessionLease implements AsyncDisposable {
  readonly session: Session;
  /** Tells its query from all others. */
  readonly name: string;
  /** Set when its query came to its end; any other is stopped. */
  isDone = false;
  readonly #lending: Lending;
  readonly #lease: Lease<Session>;
  readonly #over = new AbortController();
  #killing: Promise<void> | undefined;

  constructor(lending: Lending, lease: Lease<Session>) {
    this.session = lease.resource;
    this.name = lease.name;
    this.#lending = lending;
    this.#lease = lease;
    lending.signal.addEventListener('abort', this.#stop, { once: true });
    if (lending.signal.aborted) this.#stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { pool, signal } = this.#lending;
    if (!this.isDone) this.#stop();
    this.#over.abort();
    signal.removeEventListener('abort', this.#stop);
    await this.#killing;
    if (!this.isDone) await this.#forget();
    pool.release(this.#lease);
  }

  /** Cancelling a stream waits for its block; killing the query does not. */
  readonly #stop = (): void => {
    this.#killing ??= this.#kill();
  };

  /** What has not quite begun is not seen by the first kill. */
  async #kill(): Promise<void> {
    const text = `KILL QUERY WHERE Settings['log_comment'] = '${this.name}' ASYNC`;
    const pause = async () => await delay(NEXT_KILL, true, { signal: this.#over.signal });
    do await this.#lending.control.queryAsync(text).catch(() => undefined);
    while (await pause().catch(() => false));
  }

  /**
   * A query that failed, or that was cancelled and killed at once, stays in the engine with its
   * memory until its session is asked something else.
   */
  async #forget(): Promise<void> {
    await this.session.queryAsync('SELECT 1').catch(() => undefined);
  }
}
