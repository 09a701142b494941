/** A row of the month cache: a frame of numbers, then the record's JSON text without its status label. */

import { KINDS, type Kind } from '../../contract/record/kinds.ts';
import type { KeysetPosition } from '../../plan/keyset-position.ts';

/** Bytes of the frame (see months/month-statement.ts). */
const FRAME = 34;

const TWO_TO_32 = 2 ** 32;

/** The position of a row in the order of its table. */
export interface RowKey extends KeysetPosition {
  /** The kind's place in the table of kinds, from 1. */
  readonly kind: number;
  /** Its website; 0 in a table that is sorted by time alone. */
  readonly owner: number;
}

export const kindCode = (kind: Kind): number => KINDS.indexOf(kind) + 1;

export function compareKeys(one: RowKey, other: RowKey): number {
  return (
    one.kind - other.kind ||
    one.owner - other.owner ||
    one.at - other.at ||
    one.transactionId - other.transactionId
  );
}

export class StoredRow implements RowKey {
  readonly bytes: Buffer;
  readonly #start: number;

  constructor(bytes: Buffer, start: number) {
    this.bytes = bytes;
    this.#start = start;
  }

  get kind(): number {
    return this.bytes[this.#start + 32] ?? 0;
  }

  get owner(): number {
    return this.#wide(24);
  }

  get at(): number {
    return this.bytes.readUInt32LE(this.#start + 8);
  }

  get transactionId(): number {
    return this.#wide(16);
  }

  get updatedAt(): number {
    return this.bytes.readUInt32LE(this.#start + 12);
  }

  get status(): number {
    return this.bytes[this.#start + 33] ?? 0;
  }

  /** The start of its text. The label of the status must be inserted at `labelAt`. */
  get textStart(): number {
    return this.#start + FRAME;
  }

  get labelAt(): number {
    return this.#start + FRAME + this.bytes.readUInt32LE(this.#start + 4);
  }

  get end(): number {
    return this.#start + FRAME + this.bytes.readUInt32LE(this.#start);
  }

  copyTo(target: Buffer, position: number): number {
    return this.bytes.copy(target, position, this.#start, this.end);
  }

  get size(): number {
    return this.end - this.#start;
  }

  key(): RowKey {
    const { kind, owner, at, transactionId } = this;
    return { kind, owner, at, transactionId };
  }

  #wide(offset: number): number {
    const low = this.bytes.readUInt32LE(this.#start + offset);
    return low + this.bytes.readUInt32LE(this.#start + offset + 4) * TWO_TO_32;
  }
}

/** The rows of a buffer. */
export function rowsIn(bytes: Buffer): readonly StoredRow[] {
  const rows: StoredRow[] = [];
  for (let start = 0; start < bytes.length; ) {
    const row = new StoredRow(bytes, start);
    rows.push(row);
    start = row.end;
  }
  return rows;
}
