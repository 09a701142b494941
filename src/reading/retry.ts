/** Counts the failures of one stream, and says when it is worth another try. */

import { setTimeout as delay } from 'node:timers/promises';
import { EngineBusy, EngineFailure } from '../engine/engine.ts';

/** How often in a row a stream takes up an engine that fails, before it fails itself. */
const MOST_FAILURES = 8;

/** Milliseconds before the first new try; each further one waits twice as long, up to the longest. */
const FIRST_PAUSE = 25;
const LONGEST_PAUSE = 500;

/** A queue that is full is no failure to be tried again: the reader is told to come later. */
const isPassing = (error: unknown): boolean =>
  error instanceof EngineFailure && error.isPassing && !(error instanceof EngineBusy);

export class RetryPolicy {
  readonly #signal: AbortSignal;
  #count = 0;
  #hasSent = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether the stream has given any record. */
  get hasSent(): boolean {
    return this.#hasSent;
  }

  /** Notes that records were given: what failed before was overcome. */
  noteSent(): void {
    this.#hasSent = true;
    this.#count = 0;
  }

  /** Does something again until it succeeds, as often as is left. */
  async untilDone<Result>(action: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await action();
      } catch (error) {
        await this.overcome(error);
      }
    }
  }

  /**
   * Waits until it is time for another try; throws the failure where there is none.
   *
   * Before any record was sent, only a failure of the moment is worth a try.
   */
  async overcome(error: unknown): Promise<void> {
    this.#signal.throwIfAborted();
    this.#count += 1;
    const isHopeful = this.#hasSent ? error instanceof EngineFailure : isPassing(error);
    if (!isHopeful || this.#count > MOST_FAILURES) throw error;
    const pause = Math.min(FIRST_PAUSE * 2 ** (this.#count - 1), LONGEST_PAUSE);
    await delay(pause, undefined, { signal: this.#signal });
  }
}
