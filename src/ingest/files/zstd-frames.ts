/** Detects a truncated zstd file by the headers in it (RFC 8878), because the engine accepts it as if it were complete. */

import { type FileHandle, open } from 'node:fs/promises';
import type { SourceFile } from './source-file.ts';

const MAGIC = 0xfd2fb528;
/** The magic number of a skippable frame, without its last four bits. */
const SKIPPABLE_MAGIC = 0x184d2a5;

/** Lengths in bytes, by the flags in the descriptor of a frame. */
const DICTIONARY_ID = [0, 1, 2, 4];
const CONTENT_SIZE = [0, 2, 4, 8];

const RUN_LENGTH_BLOCK = 1;

/** Whether a file is not zstd, or has whole frames only. */
export async function hasWholeFrames({
  path,
  compression,
}: Pick<SourceFile, 'path' | 'compression'>): Promise<boolean> {
  if (compression !== 'zstd') return true;
  await using file = await open(path);
  const { size } = await file.stat();
  let at: number | undefined = 0;
  while (at !== undefined && at < size) at = await frameEnd(file, at);
  return at === size;
}

/** Where a frame ends according to its headers; undefined if they are cut off or wrong. */
async function frameEnd(file: FileHandle, start: number): Promise<number | undefined> {
  const head = await bytesAt(file, start, 8);
  if (head === undefined) return undefined;
  const magic = head.readUInt32LE();
  if (magic >>> 4 === SKIPPABLE_MAGIC) return start + 8 + head.readUInt32LE(4);
  if (magic !== MAGIC) return undefined;
  const descriptor = head.readUInt8(4);
  const end = await lastBlockEnd(file, start + 5 + headerLength(descriptor));
  const checksumLength = descriptor & 0b100 ? 4 : 0;
  return end === undefined ? undefined : end + checksumLength;
}

/** The length of a frame's header after its descriptor. */
function headerLength(descriptor: number): number {
  const isSingleSegment = (descriptor & 0b10_0000) !== 0;
  const contentSize = CONTENT_SIZE[descriptor >> 6] ?? 0;
  const dictionaryId = DICTIONARY_ID[descriptor & 0b11] ?? 0;
  // A single segment has no window descriptor, but always a content size.
  return dictionaryId + (isSingleSegment ? contentSize || 1 : 1 + contentSize);
}

async function lastBlockEnd(file: FileHandle, start: number): Promise<number | undefined> {
  for (let at = start; ; ) {
    const header = (await bytesAt(file, at, 3))?.readUIntLE(0, 3);
    if (header === undefined) return undefined;
    const isRunLength = ((header >> 1) & 0b11) === RUN_LENGTH_BLOCK;
    at += 3 + (isRunLength ? 1 : header >> 3);
    if ((header & 1) === 1) return at;
  }
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return bytesRead === length ? buffer : undefined;
}
