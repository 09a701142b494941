/** Retries a query that failed, with exponential backoff. */

import { setTimeout as delay } from 'node:timers/promises';
import { EngineBusy, EngineFailure } from '../engine/engine.ts';

/** The maximum number of failures in a row that are retried. */
const MAX_FAILURES = 8;

/** Milliseconds before the first retry. Each further delay is twice as long, up to the longest. */
const FIRST_DELAY = 25;
const MAX_DELAY = 500;

/** A full queue is reported to the client at once. */
const isTransient = (error: unknown): boolean =>
  error instanceof EngineFailure && error.isTransient && !(error instanceof EngineBusy);

/** The failures of one response. */
export class RetryPolicy {
  readonly #signal: AbortSignal;
  #failures = 0;
  #hasSent = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether the response has started. */
  get hasSent(): boolean {
    return this.#hasSent;
  }

  /** Notes that the response made progress, so that earlier failures no longer count. */
  noteSent(): void {
    this.#hasSent = true;
    this.#failures = 0;
  }

  /** Repeats an action until it succeeds, or until `backOff` throws its error. */
  async run<Result>(action: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await action();
      } catch (error) {
        await this.backOff(error);
      }
    }
  }

  /**
   * Waits until the next retry, or throws the error if there is none.
   *
   * Before the response has started, only transient failures are retried.
   */
  async backOff(error: unknown): Promise<void> {
    this.#signal.throwIfAborted();
    this.#failures += 1;
    const canRetry = this.#hasSent ? error instanceof EngineFailure : isTransient(error);
    if (!canRetry || this.#failures > MAX_FAILURES) throw error;
    const pause = Math.min(FIRST_DELAY * 2 ** (this.#failures - 1), MAX_DELAY);
    await delay(pause, undefined, { signal: this.#signal });
  }
}
