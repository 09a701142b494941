/** A list of blocks in typed arrays: a month has thousands of blocks, and objects would take more memory. */

import type { Block } from './block.ts';
import type { RowKey } from './stored-row.ts';

/** The numbers of a key: its kind, owner, date and transaction. */
const KEY_NUMBERS = 4;

/** The other numbers of a block: its chunk, its place there, its bytes compressed, its bytes and its rows. */
const NUMBERS = 5;

export class BlockList {
  readonly length: number;
  /** For each block, the number of rows before it. */
  readonly positions: Uint32Array;
  /** Bytes of memory. */
  readonly bytes: number;
  readonly #firstKeys: Float64Array;
  readonly #lastKeys: Float64Array;
  readonly #numbers: Uint32Array;
  /** Compressed blocks, one after the other. */
  readonly #chunks: readonly ArrayBufferLike[];

  constructor(blocks: readonly Block[]) {
    this.length = blocks.length;
    this.#chunks = [...new Set(blocks.map(({ compressed }) => compressed.buffer))];
    const numberOf = new Map(this.#chunks.map((chunk, number) => [chunk, number]));
    this.#firstKeys = Float64Array.from(blocks.flatMap(({ first }) => numbersOf(first)));
    this.#lastKeys = Float64Array.from(blocks.flatMap(({ last }) => numbersOf(last)));
    this.positions = Uint32Array.from(blocks, ({ position }) => position);
    this.#numbers = Uint32Array.from(
      blocks.flatMap(({ compressed, size, rows }) => [
        numberOf.get(compressed.buffer) ?? 0,
        compressed.byteOffset,
        compressed.length,
        size,
        rows,
      ]),
    );
    const index = [this.#firstKeys, this.#lastKeys, this.positions, this.#numbers];
    this.bytes = [...index, ...this.#chunks].reduce((all, { byteLength }) => all + byteLength, 0);
  }

  at(index: number): Block | undefined {
    const first = this.firstKey(index);
    const last = this.lastKey(index);
    const at = index * NUMBERS;
    const [chunk = 0, start, length, size = 0, rows = 0] = this.#numbers.subarray(at, at + NUMBERS);
    const bytes = this.#chunks[chunk];
    if (first === undefined || last === undefined || bytes === undefined) return undefined;
    const compressed = Buffer.from(bytes, start, length);
    return { first, last, compressed, size, rows, position: this.positions[index] ?? 0 };
  }

  /** The key of the first row of a block; undefined if there is no such block. */
  firstKey(index: number): RowKey | undefined {
    return keyAt(this.#firstKeys, index);
  }

  lastKey(index: number): RowKey | undefined {
    return keyAt(this.#lastKeys, index);
  }
}

const numbersOf = ({ kind, owner, at, transactionId }: RowKey): readonly number[] => [
  kind,
  owner,
  at,
  transactionId,
];

function keyAt(keys: Float64Array, index: number): RowKey | undefined {
  const start = index * KEY_NUMBERS;
  const kind = keys[start];
  if (kind === undefined) return undefined;
  const [owner, at, transactionId] = [keys[start + 1], keys[start + 2], keys[start + 3]];
  return { kind, owner: owner ?? 0, at: at ?? 0, transactionId: transactionId ?? 0 };
}
