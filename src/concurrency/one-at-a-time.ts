/** Runs asynchronous work one after the other. */

export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  /** Begins the work when all earlier work has ended, and resolves with its result. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => undefined);
    return await run;
  }

  /** Resolves when all work has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
