/**
 * Writes lines to the standard output in batches, because a write costs as much CPU time as formatting a line.
 *
 * If nobody reads the output, or its disk is full, the service goes on. The lines wait in memory. Beyond a
 * limit, they are dropped and counted.
 */

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { destination } from 'pino';

/** Milliseconds and bytes after which a batch is written. */
const BATCH_TIME = 100;
const BATCH_BYTES = 8192;

/** Bytes of lines that may wait. */
const MAX_WAITING = 16 * 1024 * 1024;

/** Milliseconds for the last lines when the process ends. */
const CLOSING_TIME = 1000;

export class BatchedOutput {
  readonly #output = destination({
    sync: false,
    minLength: BATCH_BYTES,
    maxLength: MAX_WAITING,
  });
  readonly #onDropped: (lines: number) => void;
  #timer: NodeJS.Timeout | undefined;
  /** Whether lines were added since the last write ended. The output keeps them until the next flush. */
  #hasNew = false;
  #dropped = 0;
  #isClosed = false;

  /** Calls `onDropped` with the number of dropped lines as soon as lines can be written again. */
  constructor(onDropped: (lines: number) => void) {
    this.#onDropped = onDropped;
    this.#output.on('drop', () => {
      this.#dropped += 1;
    });
    this.#output.on('drain', () => {
      if (this.#hasNew) this.#flushSoon();
      this.#hasNew = false;
      this.#tellDropped();
    });
    // The output tries again with the next flush, unless the reader has gone.
    this.#output.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') this.#flushSoon();
    });
  }

  write(line: string): void {
    if (this.#isClosed) return;
    this.#output.write(line);
    this.#hasNew = true;
    this.#flushSoon();
  }

  /** Writes the last lines, if somebody reads them in time. */
  async close(): Promise<void> {
    this.#tellDropped();
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const closed = once(this.#output, 'close').catch(() => undefined);
    this.#output.end();
    await Promise.race([closed, delay(CLOSING_TIME)]);
    this.#output.destroy();
  }

  #flushSoon(): void {
    if (this.#isClosed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#output.flush();
    }, BATCH_TIME).unref();
  }

  #tellDropped(): void {
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped > 0) this.#onDropped(dropped);
  }
}
