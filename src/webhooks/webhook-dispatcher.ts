/** Runs the deliveries of all webhooks, independently of each other, and follows changes of their definitions. */

import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Semaphore } from '../concurrency/semaphore.ts';
import { DeliveryLease } from './delivery-lease.ts';
import type { Progress } from './progress.ts';
import { controllingTokenId, type Webhook } from './webhook.ts';
import { type DeliveryDeps, WebhookDelivery } from './webhook-delivery.ts';
import { WebhookFaultLog } from './webhook-fault-log.ts';
import { type StoredWebhook, storedWebhooks } from './webhook-table.ts';

/** How many pages are read at a time. Without a limit, webhooks would fill the engine's queue after an import. */
const READERS = 4;

export type DispatcherDeps = Omit<DeliveryDeps, 'readers' | 'mayDeliver'>;

interface Running {
  readonly delivery: WebhookDelivery;
  readonly leaving: AbortController;
  readonly ended: Promise<void>;
  isOver: boolean;
}

/** A webhook as this process knows it. */
export interface KnownWebhook {
  readonly webhook: Webhook;
  readonly progress: Progress | undefined;
  /** Whether its token (`controllingTokenId`) is revoked. The webhook then delivers nothing. */
  readonly isRevoked: boolean;
}

export class WebhookDispatcher {
  readonly #deps: DeliveryDeps;
  readonly #lease: DeliveryLease;
  readonly #faults: WebhookFaultLog;
  readonly #running = new Map<string, Running>();
  /** Deliveries that were told to end but have not ended yet. */
  readonly #ending = new Set<Running>();
  readonly #closing = new AbortController();
  #known: readonly StoredWebhook[] = [];
  #updating: Promise<void> = Promise.resolve();
  /** The version of tokens at the last update; false before the first update and after a failed one. */
  #seen: number | undefined | false = false;
  #following: Promise<void> | undefined;

  constructor(deps: DispatcherDeps) {
    const readers = new Semaphore({ permits: READERS, maxQueue: Number.POSITIVE_INFINITY });
    this.#lease = new DeliveryLease(deps.engine, { servers: deps.reader.servers });
    this.#deps = { ...deps, readers, mayDeliver: () => this.#lease.isHeld };
    this.#faults = new WebhookFaultLog(deps);
  }

  start(): void {
    this.#following ??= this.#follow().finally(() => {
      this.#following = undefined;
    });
  }

  /** All webhooks, also paused and revoked ones; empty if another process has the lease for deliveries. */
  get known(): readonly KnownWebhook[] {
    if (!this.#lease.isHeld) return [];
    return this.#known.map((one) => ({
      ...one,
      progress: this.#running.get(one.id)?.delivery.progress ?? one.progress,
    }));
  }

  /** Applies a change that this process has made: at once, or later if the database does not answer. */
  async refresh(): Promise<void> {
    await this.#next().catch((error: unknown) => {
      this.#seen = this.#report(error);
      this.start();
    });
  }

  /** Reads the definitions again, after an update that is under way. */
  async #next(): Promise<void> {
    const update = this.#updating.then(async () => await this.#update());
    this.#updating = update.catch(() => undefined);
    await update;
  }

  /** Gives messages that are under way `graceMs` milliseconds to end. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    await this.#updating;
    for (const id of this.#running.keys()) this.#end(id);
    const ended = Promise.all(Array.from(this.#ending, (one) => one.ended));
    const late = delay(graceMs, undefined, { ref: false });
    await Promise.race([ended, late]);
    for (const { delivery } of this.#ending) delivery.abandon();
    await Promise.all([ended, this.#following]);
    await this.#lease.end().catch(() => undefined);
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const version = this.#deps.engine.versions?.tokensAndValues;
      if (this.#mayHaveChanged(version)) {
        this.#seen = await this.#next().then(
          () => version,
          (error: unknown) => this.#report(error),
        );
      }
      await delay(this.#deps.times.interval, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * Whether to read the webhooks again. Only this process changes those of an embedded database, and then it
   * calls `refresh`. So only writes to tokens matter here: one may revoke a token that a webhook depends on.
   */
  #mayHaveChanged(version: number | undefined): boolean {
    if (this.#seen === false || version === undefined) return true;
    return (
      version !== this.#seen &&
      this.#known.some(({ webhook }) => controllingTokenId(webhook) !== undefined)
    );
  }

  #report(error: unknown): false {
    this.#deps.logger.error({ err: error }, 'webhooks: cannot read the definitions');
    return false;
  }

  async #update(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const { webhooks, unreadable } = await storedWebhooks(this.#deps.engine);
    this.#known = webhooks;
    this.#faults.unreadable(unreadable);
    // Without webhooks, nothing is written to the database.
    if (this.#known.length > 0) await this.#lease.update();
    const wanted = this.#lease.isHeld ? this.#known.filter(mayDeliver) : [];
    const ids = new Set(wanted.map(({ id }) => id));
    for (const id of this.#running.keys()) if (!ids.has(id)) this.#end(id);
    for (const { id, webhook } of wanted) this.#run(id, webhook);
    if (this.#lease.isHeld) await this.#faults.revoked(this.#known);
  }

  /** A changed definition replaces the running delivery after the message that is under way. */
  #run(id: string, webhook: Webhook): void {
    const present = this.#running.get(id);
    if (present !== undefined && isUpToDate(present, webhook)) return;
    const former = present === undefined ? this.#endingOf(id) : this.#end(id);
    const delivery = new WebhookDelivery(id, webhook, this.#deps);
    const leaving = new AbortController();
    const ended = former.then(async () => {
      await delivery.run(leaving.signal);
      running.isOver = true;
    });
    const running = { delivery, leaving, ended, isOver: false };
    this.#running.set(id, running);
  }

  #end(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return Promise.resolve();
    this.#running.delete(id);
    this.#ending.add(running);
    running.leaving.abort(new Error('The webhook was changed.'));
    return running.ended.finally(() => this.#ending.delete(running));
  }

  /** Waits until all earlier deliveries of a webhook have ended. */
  async #endingOf(id: string): Promise<void> {
    const earlier = [...this.#ending].filter(({ delivery }) => delivery.id === id);
    await Promise.all(earlier.map(({ ended }) => ended));
  }
}

const mayDeliver = ({ webhook, isRevoked }: StoredWebhook): boolean =>
  !(webhook.isPaused || isRevoked);

/** A delivery also ends when this process loses the lease. It must be started again if the lease comes back. */
function isUpToDate({ delivery, isOver }: Running, webhook: Webhook): boolean {
  const isStopped = delivery.progress !== undefined && delivery.progress.stopped !== null;
  return (!isOver || isStopped) && isDeepStrictEqual(delivery.webhook, webhook);
}
