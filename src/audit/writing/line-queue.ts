/** Bounded queue of lines that are written in batches; a batch that failed is written again. */

import { type LineBatch, LineBuffer } from './line-buffer.ts';

export interface LineQueueOptions {
  /** Writes all lines or fails. Their memory is freed afterwards, or written again after a failure. */
  readonly write: (batch: LineBatch, signal: AbortSignal) => Promise<void>;
  /** Milliseconds in which lines are gathered before they are written. */
  readonly delay: number;
  /** The maximum size of a batch in bytes; a longer line is a batch of its own. */
  readonly batchSize: number;
  /** Called when a batch could not be written. It stays in the queue. */
  readonly onFailure: (error: unknown) => void;
  /** Called with the number of lines that a full queue has dropped, as soon as lines can be written again. */
  readonly onLost: (lines: number) => void;
}

/** The maximum number of bytes in the queue. */
const CAPACITY = 8 * 1024 * 1024;

/** Milliseconds until the next attempt after a failure. */
const RETRY_DELAY = 5000;

export class LineQueue {
  readonly #options: LineQueueOptions;
  readonly #stopped = new AbortController();
  readonly #lines: LineBuffer;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #reported = 0;
  written = 0;
  dropped = 0;

  constructor(options: LineQueueOptions) {
    this.#options = options;
    this.#lines = new LineBuffer({ capacity: CAPACITY, batchSize: options.batchSize });
  }

  /** The number of lines in the queue. */
  get waiting(): number {
    return this.#lines.count;
  }

  /** Never waits. Drops the line if the queue is full. */
  add(line: string): void {
    if (!this.#lines.add(line)) {
      this.dropped += 1;
      return;
    }
    if (this.#isFailing) return;
    if (this.#options.delay === 0 || this.#lines.bytes > CAPACITY / 4) void this.flush();
    else this.#schedule(this.#options.delay);
  }

  /** Writes the lines that wait now, or resolves after the first failure. Does not wait for lines added meanwhile. */
  async flush(): Promise<void> {
    // A running write may have begun before the last lines were added.
    await this.#writing;
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  /** Writes the waiting lines, within `timeout` ms. Returns how many were lost since the last `onLost`. */
  async close(timeout: number): Promise<number> {
    const late = setTimeout(() => this.#stopped.abort(), timeout);
    await this.flush();
    if (this.waiting > 0 && !this.#stopped.signal.aborted) await this.flush();
    // Another flush may have begun a write meanwhile.
    await this.#writing;
    clearTimeout(late);
    this.#unschedule();
    this.#stopped.abort();
    this.dropped += this.waiting;
    this.#lines.clear();
    return this.dropped - this.#reported;
  }

  async #writeWaiting(): Promise<void> {
    this.#unschedule();
    for (let left = this.waiting; left > 0; ) {
      const batch = this.#lines.batch();
      try {
        await this.#options.write(batch, this.#stopped.signal);
      } catch (error) {
        this.#isFailing = true;
        this.#unschedule();
        this.#schedule(RETRY_DELAY);
        this.#options.onFailure(error);
        return;
      }
      this.#remove(batch);
      left -= batch.count;
    }
    // Lines that were added after a failure have no timer.
    if (this.waiting > 0) this.#schedule(this.#options.delay);
  }

  #remove(batch: LineBatch): void {
    this.#lines.remove(batch);
    this.written += batch.count;
    this.#isFailing = false;
    const lost = this.dropped - this.#reported;
    this.#reported = this.dropped;
    if (lost > 0) this.#options.onLost(lost);
  }

  #schedule(delay: number): void {
    if (this.#stopped.signal.aborted) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, delay).unref();
  }

  #unschedule(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
