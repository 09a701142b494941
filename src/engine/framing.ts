/** Reads frames: a header with length, date and identifier, then the text of a row (framed-pieces.ts). */

import type { KeysetPosition } from '../plan/keyset-position.ts';

/** Bytes before each row: length and date in 32 bits each, the identifier in 64, little-endian. */
export const HEADER_BYTES = 16;

export interface FramedRow extends KeysetPosition {
  /** Where the text of the row starts, and where the next frame starts. */
  readonly start: number;
  readonly end: number;
}

const bufferOf = (block: Uint8Array): Buffer =>
  Buffer.from(block.buffer, block.byteOffset, block.byteLength);

const frameEnd = (bytes: Buffer, at: number): number => at + HEADER_BYTES + bytes.readUInt32LE(at);

/** The rows of a block in order. */
export function* framedRows(block: Uint8Array): Generator<FramedRow> {
  const bytes = bufferOf(block);
  for (let at = 0; at < bytes.length; ) {
    const end = frameEnd(bytes, at);
    yield { ...positionAt(bytes, at), start: at + HEADER_BYTES, end };
    at = end;
  }
}

const positionAt = (bytes: Buffer, at: number): KeysetPosition => ({
  at: bytes.readUInt32LE(at + 4),
  transactionId: Number(bytes.readBigUInt64LE(at + 8)),
});

/** The position of the last row in a block of whole rows. */
export function lastPosition(block: Uint8Array): KeysetPosition {
  const bytes = bufferOf(block);
  let last = 0;
  for (let at = 0; at < bytes.length; at = frameEnd(bytes, at)) last = at;
  return positionAt(bytes, last);
}

/** Where the last complete frame ends. */
export function completeFramesEnd(bytes: Buffer): number {
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length && frameEnd(bytes, at) <= bytes.length) {
    at = frameEnd(bytes, at);
  }
  return at;
}

/** Removes the frame headers from a block, in place. */
export function removeFrames(block: Uint8Array): Uint8Array {
  const bytes = bufferOf(block);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const end = frameEnd(bytes, at);
    bytes.copyWithin(length, at + HEADER_BYTES, end);
    length += end - at - HEADER_BYTES;
    at = end;
  }
  return block.subarray(0, length);
}
