/** Bounded queue of lines that are written in batches; a batch that failed is written again. */

export interface LineQueueOptions {
  /** Writes all lines or fails. */
  readonly write: (lines: readonly string[], signal: AbortSignal) => Promise<void>;
  /** Milliseconds in which lines are gathered before they are written. */
  readonly delay: number;
  /** The greatest length of a batch, in characters; a longer line is a batch of its own. */
  readonly batchLength: number;
  /** Called when a batch could not be written. It stays in the queue. */
  readonly onFailure: (error: unknown) => void;
  /** Called with the number of lines that a full queue has dropped, as soon as lines can be written again. */
  readonly onLost: (lines: number) => void;
}

/** The maximum number of characters in the queue. */
const CAPACITY = 8 * 1024 * 1024;

/** Milliseconds until the next attempt after a failure. */
const RETRY_DELAY = 5000;

export class LineQueue {
  readonly #options: LineQueueOptions;
  readonly #stopped = new AbortController();
  readonly #lines: string[] = [];
  #length = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #reported = 0;
  written = 0;
  dropped = 0;

  constructor(options: LineQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#lines.length;
  }

  /** Never waits. Drops the line if the queue is full. */
  add(line: string): void {
    if (this.#length + line.length > CAPACITY) {
      this.dropped += 1;
      return;
    }
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#isFailing) return;
    if (this.#options.delay === 0 || this.#length > CAPACITY / 4) void this.flush();
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
    if (this.#lines.length > 0 && !this.#stopped.signal.aborted) await this.flush();
    clearTimeout(late);
    this.#unschedule();
    this.#stopped.abort();
    this.dropped += this.#lines.length;
    this.#lines.length = 0;
    return this.dropped - this.#reported;
  }

  async #writeWaiting(): Promise<void> {
    this.#unschedule();
    for (let left = this.#lines.length; left > 0; ) {
      const batch = this.#batch().slice(0, left);
      try {
        await this.#options.write(batch, this.#stopped.signal);
      } catch (error) {
        this.#isFailing = true;
        this.#unschedule();
        this.#schedule(RETRY_DELAY);
        this.#options.onFailure(error);
        return;
      }
      this.#remove(batch.length);
      left -= batch.length;
    }
    // Lines that were added after a failure have no timer.
    if (this.#lines.length > 0) this.#schedule(this.#options.delay);
  }

  #remove(count: number): void {
    for (const line of this.#lines.splice(0, count)) this.#length -= line.length;
    this.written += count;
    this.#isFailing = false;
    const lost = this.dropped - this.#reported;
    this.#reported = this.dropped;
    if (lost > 0) this.#options.onLost(lost);
  }

  #batch(): readonly string[] {
    let length = 0;
    const end = this.#lines.findIndex((line, at) => {
      length += line.length;
      return at > 0 && length > this.#options.batchLength;
    });
    return this.#lines.slice(0, end === -1 ? undefined : end);
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
