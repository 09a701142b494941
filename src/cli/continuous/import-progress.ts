/** How far a continuous import has come, and in which database. */

/**
 * The present instant, as a function. If the clock is set back later, the function returns the instant as the clock
 * would have shown it. Otherwise the changes in between could be missed.
 */
export function presentInstant(): () => Date {
  const shown = Date.now();
  const started = performance.now();
  return () => new Date(Math.min(shown, Date.now() - (performance.now() - started)));
}

export class ImportProgress {
  #readUntil: (() => Date) | undefined;
  #origin: number | undefined;

  /** `origin` identifies the database, as in `DatabaseState`. */
  constructor(readUntil?: Date, origin?: number) {
    this.#readUntil = readUntil && (() => readUntil);
    this.#origin = origin;
  }

  /** All changes that the sources had at this instant are in the database. Undefined at the beginning. */
  get readUntil(): Date | undefined {
    return this.#readUntil?.();
  }

  /** Returns true if the database is another one than before. The import then begins again. */
  enter(origin: number | undefined): boolean {
    if (origin === undefined) return false;
    const isOther = this.#origin !== undefined && origin !== this.#origin;
    if (isOther) this.#readUntil = undefined;
    this.#origin = origin;
    return isOther;
  }

  advance(readUntil: () => Date): void {
    this.#readUntil = readUntil;
  }
}
