/** Finds the values of fields in a record's JSON text, whose fields are always the same in the same order. */

import type { RecordField } from '../../contract/record/records.ts';
import type { StoredRow } from '../rows/stored-row.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACE = 0x7d;

/** The positions of values in the bytes of one row. */
export class ValuePositions {
  /** Bytes of each key with its quotes and colon. */
  readonly #keys: readonly number[];
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;

  /** Finds the first `wanted` fields of a record. */
  constructor(record: readonly RecordField[], wanted = record.length) {
    this.#keys = record.slice(0, wanted).map(({ name }) => Buffer.byteLength(name) + 3);
    this.#starts = new Int32Array(wanted);
    this.#ends = new Int32Array(wanted);
  }

  /** Reads the positions in another row. */
  read({ bytes, textStart }: StoredRow): void {
    // One byte for the brace or comma before each key.
    let position = textStart;
    for (const [index, key] of this.#keys.entries()) {
      position += 1 + key;
      this.#starts[index] = position;
      position = endOfValue(bytes, position);
      this.#ends[index] = position;
    }
  }

  startOf(index: number): number {
    return this.#starts[index] ?? 0;
  }

  endOf(index: number): number {
    return this.#ends[index] ?? 0;
  }
}

/** The end of a text, number or null. */
function endOfValue(bytes: Buffer, start: number): number {
  let position = start;
  if (bytes[start] !== QUOTE) {
    while (bytes[position] !== COMMA && bytes[position] !== BRACE) position += 1;
    return position;
  }
  for (position += 1; bytes[position] !== QUOTE; position += 1) {
    if (bytes[position] === BACKSLASH) position += 1;
  }
  return position + 1;
}
