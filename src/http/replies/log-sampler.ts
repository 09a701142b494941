/** Samples lines of a log that anyone can cause, so that a flood does not fill the disk. */

/** Milliseconds. */
const WINDOW = 1000;

export class LogSampler {
  readonly #linesPerSecond: number;
  readonly #report: (omitted: number) => void;
  #lines = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `report` gets the number of omitted lines, at the end of each second that has some. */
  constructor(linesPerSecond: number, report: (omitted: number) => void) {
    this.#linesPerSecond = linesPerSecond;
    this.#report = report;
  }

  /** Whether the next line shall be written. */
  admits(): boolean {
    this.#lines += 1;
    this.#timer ??= setTimeout(() => this.#endWindow(), WINDOW).unref();
    return this.#lines <= this.#linesPerSecond;
  }

  #endWindow(): void {
    const omitted = this.#lines - this.#linesPerSecond;
    this.#lines = 0;
    this.#timer = undefined;
    if (omitted > 0) this.#report(omitted);
  }
}
