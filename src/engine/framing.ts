/** Rows in frames: before each its length, its date and its identifier (see report-statement.ts). */

import type { KeysetPosition } from '../plan/keyset-position.ts';

/** Bytes before each row: length and date as 32 bits, the identifier as 64, the lowest first. */
export const FRAME = 16;

export interface FramedRow extends KeysetPosition {
  /** Where its text begins, and where the next row's frame does. */
  readonly start: number;
  readonly end: number;
}

const bufferOf = (block: Uint8Array): Buffer =>
  Buffer.from(block.buffer, block.byteOffset, block.byteLength);

const endOf = (bytes: Buffer, at: number): number => at + FRAME + bytes.readUInt32LE(at);

/** The rows of a block, one after the other. */
export function* framedRows(block: Uint8Array): Generator<FramedRow> {
  const bytes = bufferOf(block);
  for (let at = 0; at < bytes.length; ) {
    const end = endOf(bytes, at);
    yield { ...placeAt(bytes, at), start: at + FRAME, end };
    at = end;
  }
}

const placeAt = (bytes: Buffer, at: number): KeysetPosition => ({
  at: bytes.readUInt32LE(at + 4),
  transactionId: Number(bytes.readBigUInt64LE(at + 8)),
});

/** The place of the last row of a block of whole ones. */
export function lastPlace(block: Uint8Array): KeysetPosition {
  const bytes = bufferOf(block);
  let last = 0;
  for (let at = 0; at < bytes.length; at = endOf(bytes, at)) last = at;
  return placeAt(bytes, last);
}

/** Where the last whole row ends. */
export function wholeFrames(bytes: Buffer): number {
  let at = 0;
  while (at + FRAME <= bytes.length && endOf(bytes, at) <= bytes.length) at = endOf(bytes, at);
  return at;
}

/** Takes the frames out of a block, in place. */
export function unframed(block: Uint8Array): Uint8Array {
  const bytes = bufferOf(block);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const end = endOf(bytes, at);
    bytes.copyWithin(length, at + FRAME, end);
    length += end - at - FRAME;
    at = end;
  }
  return block.subarray(0, length);
}
