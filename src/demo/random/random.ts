/** Seeded random numbers: the same seed gives the same sequence on every machine. */

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number below 2^32 (mulberry32, Tommy Ettinger, public domain). */
  word(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** At least 0 and below 1. */
  unit(): number {
    return this.word() / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.unit());
  }

  /** A number with a log-normal distribution. `spread` is the standard deviation of its logarithm. */
  logNormal(median: number, spread: number): number {
    // Box–Muller transform. 1 − unit is never 0, so its logarithm is finite.
    const normal = Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit());
    return median * Math.exp(spread * normal);
  }

  oneOf<Items extends readonly [unknown, ...unknown[]]>(items: Items): Items[number] {
    return items[Math.floor(this.unit() * items.length)] ?? items[0];
  }

  /** Eight hexadecimal digits for each of `words` random numbers. */
  hex(words: number): string {
    let digits = '';
    for (let count = 0; count < words; count += 1) {
      digits += this.word().toString(16).padStart(8, '0');
    }
    return digits;
  }
}
