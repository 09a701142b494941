/** Counts what happened in a soak, and the invariants that failed. */

interface Sample {
  readonly minute: number;
  readonly memory: number;
  readonly handles: number;
}

export class SoakReport {
  readonly #started = performance.now();
  readonly #counts = new Map<string, number>();
  readonly #failed = new Map<string, number>();
  /** Since the last start of the server. */
  #samples: Sample[] = [];
  readonly #slopes: number[] = [];

  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** Counts and prints an invariant that does not hold. */
  check(invariant: string, holds: boolean, found: unknown): void {
    if (holds) return;
    this.#failed.set(invariant, (this.#failed.get(invariant) ?? 0) + 1);
    console.error(`FAILED: ${invariant}: ${JSON.stringify(found)}`);
  }

  sample(memory: number, handles: number): void {
    this.#samples.push({ minute: (performance.now() - this.#started) / 60_000, memory, handles });
  }

  /** Ends the samples of the killed process: the memory of the next process is evaluated separately. */
  restarted(): void {
    this.#endRun();
  }

  /** Prints the figures; returns whether all invariants held. */
  print(): boolean {
    const handles = this.#samples.map((sample) => sample.handles);
    this.#endRun();
    for (const [what, count] of [...this.#counts].sort()) console.log(`${what}: ${count}`);
    const slopes = this.#slopes.map((slope) => slope.toFixed(1)).join(', ');
    console.log(`growth of the memory of each process in its second half, MB a minute: ${slopes}`);
    const [first = 'unknown', last = first] = [handles[0], handles.at(-1)];
    console.log(`open handles of the last process: ${first} at first, ${last} at last`);
    const failed = [...this.#failed].map(([invariant, count]) => `${invariant} (${count})`);
    console.log(`failed invariants: ${failed.length === 0 ? 'none' : failed.join('; ')}`);
    return failed.length === 0;
  }

  /** Notes the slope of memory in the second half of a run: caches fill in the first half. */
  #endRun(): void {
    const later = this.#samples.slice(this.#samples.length >> 1);
    if (later.length > 2) this.#slopes.push(slopeOf(later));
    this.#samples = [];
  }
}

/** Growth of the memory in megabytes a minute, by least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  const minute = mean(samples.map((sample) => sample.minute));
  const memory = mean(samples.map((sample) => sample.memory));
  const sum = (value: (sample: Sample) => number) =>
    samples.reduce((all, one) => all + value(one), 0);
  return (
    sum((one) => (one.minute - minute) * (one.memory - memory)) /
    sum((one) => (one.minute - minute) ** 2)
  );
}
