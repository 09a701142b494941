/** Delivers the changes of one webhook, one message after another, until it is stopped. */

import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyBaseLogger } from 'fastify';
import { DEFAULT_LOCALE } from '../contract/record/labels.ts';
import type { StoppedState, StopReason } from '../contract/webhooks/webhook-states.ts';
import type { Engine } from '../engine/engine.ts';
import { type ChangePlan, planChanges } from '../plan/changes/change-plan.ts';
import type { ChangeWaiters } from '../reading/changes/change-waiters.ts';
import type { DeliveryDelays } from './delivery-delays.ts';
import { MessageSender, type SenderDeps } from './message-sender.ts';
import { type NextChangesDeps, readNextChanges } from './next-changes.ts';
import { type Outcome, type Progress, presentProgress, progressAfter } from './progress.ts';
import { type OriginPosition, principalOf, type Webhook } from './webhook.ts';
import { storedProgress, storeProgress } from './webhook-table.ts';

/** The maximum number of changes of a message. With large records, a message has fewer. */
const MAX_CHANGES = 100;

/** Milliseconds of one wait for changes. If there are none, the next wait follows without reading changes. */
const WAIT = 3_600_000;

/** Microseconds, like positions. A webhook without changes stores its position daily, so that it never expires. */
const DAY = 86_400_000_000;

export interface DeliveryDeps extends SenderDeps, NextChangesDeps {
  readonly engine: Engine;
  readonly waiters: ChangeWaiters;
  readonly times: DeliveryDelays;
  /** The platform's time zone. */
  readonly timeZone: string;
  readonly logger: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  readonly onOutcome: (outcome: Outcome['result']) => void;
  readonly onStopped: (id: string, reason: StoppedState) => void;
  /** Whether this process still holds the lease. */
  readonly mayDeliver: () => boolean;
}

export class WebhookDelivery {
  readonly id: string;
  readonly webhook: Webhook;
  readonly #deps: DeliveryDeps;
  readonly #plan: ChangePlan;
  readonly #sender: MessageSender;
  #progress: Progress | undefined;
  #storedNumber = 0;
  #isAbandoned = false;

  constructor(id: string, webhook: Webhook, deps: DeliveryDeps) {
    this.id = id;
    this.webhook = webhook;
    this.#deps = deps;
    const query = { type: webhook.types, limit: MAX_CHANGES };
    const locale = webhook.locale ?? DEFAULT_LOCALE;
    this.#plan = planChanges(query, principalOf(id, webhook), { timeZone: deps.timeZone, locale });
    this.#sender = new MessageSender(id, webhook, deps);
  }

  /** Undefined until it is read. */
  get progress(): Progress | undefined {
    return this.#progress;
  }

  /** Delivers until the webhook is stopped, or the signal aborts. A message that is under way is completed first. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      while (!this.#hasEnded(signal)) await this.#attempt(signal);
    } finally {
      this.#sender.close();
    }
  }

  /** Also ends a message that is under way, which will be sent again. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#sender.close();
  }

  #hasEnded(signal: AbortSignal): boolean {
    const { waiters, mayDeliver } = this.#deps;
    const isStopped = this.#progress !== undefined && this.#progress.stopped !== null;
    return signal.aborted || isStopped || waiters.isClosed || !mayDeliver();
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    try {
      await this.#deliverAll(signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#deps.logger.error({ err: error, webhook: this.id }, 'webhook: cannot read or store');
      await delay(this.#deps.times.databaseRetry, undefined, { signal }).catch(() => undefined);
    }
  }

  async #deliverAll(signal: AbortSignal): Promise<void> {
    // Not through the reader, which may wait for imports.
    const stored = await storedProgress(this.#deps.engine, this.id);
    let progress = presentProgress(this.webhook, stored);
    this.#storedNumber = progress.position.number;
    this.#progress = progress;
    while (!this.#hasEnded(signal)) {
      await waitUntil(progress.retryAt, signal);
      progress = await this.#deliverNext(progress, signal);
      this.#progress = progress;
    }
  }

  /** Delivers one message or waits for changes, and returns the new progress. Stops if changes are no longer kept. */
  async #deliverNext(progress: Progress, signal: AbortSignal): Promise<Progress> {
    const found = await readNextChanges(this.#plan, progress.position, this.#deps, signal);
    if (found === undefined) return await this.#stop(progress);
    const { message, from, next } = found;
    if (message === undefined) return await this.#waitForChanges(progress, next, signal);
    const pinned = await this.#pin({ ...progress, oldestAt: message.oldestAt }, from);
    this.#progress = pinned;
    if (this.#hasEnded(signal)) return pinned;
    const outcome = await this.#sender.sendChanges(message.body, found);
    return this.#isAbandoned ? pinned : await this.#note(outcome, pinned, next);
  }

  /**
   * Stores where a message begins and up to which import it may reach, before it is sent. Another
   * attempt, even by another process, then sends the same changes under the same id. The message may end
   * elsewhere only if the size of records has changed.
   */
  async #pin(progress: Progress, from: OriginPosition): Promise<Progress> {
    if (isDeepStrictEqual(progress.position, from)) return progress;
    return await this.#store({ ...progress, position: from });
  }

  async #note(outcome: Outcome, progress: Progress, next: OriginPosition): Promise<Progress> {
    this.#deps.onOutcome(outcome.result);
    const { retryDelay } = this.#deps.times;
    const after = await this.#store(progressAfter(outcome, progress, next, Date.now(), retryDelay));
    const { failures, error, retryAt, stopped } = after;
    if (stopped !== null) this.#announceStop(stopped, error);
    else if (retryAt !== null) {
      const details = { webhook: this.id, host: this.#sender.host, failures, error };
      const retry_at = new Date(retryAt).toISOString();
      this.#deps.logger.warn({ ...details, retry_at }, 'webhook: delivery failed');
    }
    return after;
  }

  async #stop(progress: Progress): Promise<Progress> {
    const stopped = await this.#store({ ...progress, stopped: 'changes_expired' });
    this.#announceStop('changes_expired', null);
    return stopped;
  }

  #announceStop(reason: StopReason, error: string | null): void {
    const details = { webhook: this.id, host: this.#sender.host, reason, error };
    this.#deps.logger.error(details, 'webhook: stopped');
    this.#deps.onStopped(this.id, reason);
  }

  async #waitForChanges(
    progress: Progress,
    end: OriginPosition,
    signal: AbortSignal,
  ): Promise<Progress> {
    const idle = { ...progress, position: end, oldestAt: null };
    const isOld = Date.now() * 1000 > this.#storedNumber + DAY;
    const isDue = isOld && end.number > this.#storedNumber;
    this.#progress = isDue ? await this.#store(idle) : idle;
    const { publisherIds } = this.#plan;
    const number = await this.#deps.waiters.wait(end.number, publisherIds, WAIT, signal);
    return { ...this.#progress, position: { ...end, number } };
  }

  async #store(progress: Progress): Promise<Progress> {
    const stored = { ...progress, sequence: progress.sequence + 1 };
    await storeProgress(this.#deps.engine, this.id, stored);
    this.#storedNumber = stored.position.number;
    return stored;
  }
}

/** Milliseconds. Longer timers end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

async function waitUntil(instant: number | null, signal: AbortSignal): Promise<void> {
  const left = (instant ?? 0) - Date.now();
  if (left > 0) await delay(Math.min(left, LONGEST_TIMER), undefined, { signal });
}
