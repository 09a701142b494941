/** One month of a website as finished bytes, and where each of its records begins. */

import { framedRows, unframed } from '../engine/framing.ts';

export class CachedMonth {
  readonly isLarge: boolean;
  readonly #bytes: Buffer;
  /** The instants of the records, in order, and where each begins; one more for the end. */
  readonly #createdAt: readonly number[];
  readonly #starts: readonly number[];

  constructor(
    bytes: Buffer,
    createdAt: readonly number[],
    starts: readonly number[],
    isLarge = false,
  ) {
    this.#bytes = bytes;
    this.#createdAt = createdAt;
    this.#starts = starts;
    this.isLarge = isLarge;
  }

  /** Bytes of memory, about. */
  get size(): number {
    return this.#bytes.length + 16 * this.#starts.length + 256;
  }

  /** The records of a period, given as half-open instants. */
  between(from: number, until: number): Buffer {
    return this.#bytes.subarray(this.#startOf(from), this.#startOf(until));
  }

  /** Where the first record begins that was created then or later. */
  #startOf(instant: number): number {
    let low = 0;
    let high = this.#createdAt.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#createdAt[middle] ?? 0) < instant) low = middle + 1;
      else high = middle;
    }
    return this.#starts[low] ?? 0;
  }
}

/** Reads what the statement of a month gives, in frames; one of as many rows as it may give is too large. */
export async function readMonth(
  blocks: AsyncIterable<Uint8Array>,
  mostRows: number,
): Promise<CachedMonth> {
  const all = Buffer.concat(await Array.fromAsync(blocks));
  const rows = [...framedRows(all)];
  if (rows.length >= mostRows) return new CachedMonth(Buffer.alloc(0), [], [0], true);
  const createdAt = rows.map(({ at }) => at);
  const starts = [0];
  for (const { start, end } of rows) starts.push((starts.at(-1) ?? 0) + end - start);
  return new CachedMonth(Buffer.from(unframed(all)), createdAt, starts);
}
