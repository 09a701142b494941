/**
 * Detects an open quote at the end of a CSV file, which the engine accepts as if it were closed.
 *
 * In a plain file, the last line is checked. A compressed file would have to be decompressed again for
 * this check, so a line feed is added at its end instead. After an open quote, the line feed becomes part
 * of the cell, and the import refuses the file. Otherwise it is a blank line, which the engine skips.
 */

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { writeGuardedFile } from '../../disk/disk-space.ts';
import { NEVER_ABORTED } from '../../engine/never-aborted.ts';
import { csvCells } from './csv-rows.ts';
import type { Compression, SourceFile } from './source-file.ts';
import type { CopyOptions } from './utf8-copy.ts';

/** Bytes that are searched for the last line. A file with a longer one is read row by row, to find an open quote. */
const TAIL_BYTES = 65_536;

/** A compressed line feed in each format. Appended to a compressed file, it adds a line feed to the content. */
const LINE_FEED = {
  gzip: gzipSync('\n'),
  zstd: zstdCompressSync('\n'),
} as const satisfies Record<Exclude<Compression, 'none'>, Buffer>;

/** The file that the engine opens: for compressed CSV, a copy with a line feed at the end. */
export async function withLineFeed(
  source: SourceFile,
  copy: string,
  { signal = NEVER_ABORTED, reserve }: Omit<CopyOptions, 'stated'> = {},
): Promise<SourceFile> {
  const { form, name, compression } = source;
  if (form.format !== 'csv' || compression === 'none') return source;
  const whenFull = `${name}: the disk has no space for a copy of the file. Free some, then import the file again.`;
  await writeGuardedFile(copy, followed(source.path, LINE_FEED[compression]), {
    signal,
    reserve,
    whenFull,
  });
  return { ...source, path: copy };
}

/** The bytes of a file, and then more. */
async function* followed(path: string, more: Buffer): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
  yield more;
}

/**
 * Whether an accepted file has no open quote at its end; false if the last line is too long to check.
 *
 * In compressed CSV the engine has checked it already, by the line feed.
 */
export async function hasClosedQuotes({
  form,
  compression,
  path,
  bytes,
}: SourceFile): Promise<boolean> {
  if (form.format !== 'csv' || compression !== 'none') return true;
  const tail = await tailOf(path, bytes);
  const start = tail.lastIndexOf('\n') + 1;
  if (start === 0 && tail.length >= TAIL_BYTES) return false;
  return csvCells(tail.toString('latin1', start), form.delimiter) !== undefined;
}

async function tailOf(path: string, bytes: number): Promise<Buffer> {
  await using file = await open(path);
  const length = Math.min(bytes, TAIL_BYTES);
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(length),
    0,
    length,
    Math.max(0, bytes - length),
  );
  return buffer.subarray(0, bytesRead);
}
