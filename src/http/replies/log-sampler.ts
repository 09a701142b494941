/** Samples lines of a log that anyone can cause, so that a flood does not fill the disk. */

export interface SampleSize {
  /** The lines that are written in a window. */
  readonly lines: number;
  /** Milliseconds. */
  readonly window: number;
}

/** For lines about requests that were refused before authentication. */
export const LOGGED_REFUSALS: SampleSize = { lines: 100, window: 1000 };

export class LogSampler {
  readonly #size: SampleSize;
  readonly #report: (omitted: number) => void;
  #lines = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `report` gets the number of omitted lines, at the end of each window that has some. */
  constructor(size: SampleSize, report: (omitted: number) => void) {
    this.#size = size;
    this.#report = report;
  }

  /** Whether the next line shall be written. */
  admits(): boolean {
    this.#lines += 1;
    this.#timer ??= setTimeout(() => this.endWindow(), this.#size.window).unref();
    return this.#lines <= this.#size.lines;
  }

  /** Reports what was omitted so far. */
  endWindow(): void {
    clearTimeout(this.#timer);
    const omitted = this.#lines - this.#size.lines;
    this.#lines = 0;
    this.#timer = undefined;
    if (omitted > 0) this.#report(omitted);
  }
}
