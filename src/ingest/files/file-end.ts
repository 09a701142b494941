/**
 * Detects an open quote at the end of a CSV file, which the engine accepts as if it were closed.
 *
 * For a plain file, its last line is read. For a compressed one that would mean decompressing all of
 * it once more, so it gets a line feed at the end instead. After an open quote the line feed becomes
 * part of the cell, which the import refuses. Otherwise it is a blank line, which the engine skips.
 */

import { appendFile, chmod, copyFile, open } from 'node:fs/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { csvCells } from './csv-rows.ts';
import type { Compression, SourceFile } from './source-file.ts';

/** A file with a longer last line is read row by row instead, which finds an open quote too. */
const TAIL_BYTES = 65_536;

/** In both formats, a concatenation of files decompresses to the concatenation of their contents. */
const LINE_FEED = {
  gzip: gzipSync('\n'),
  zstd: zstdCompressSync('\n'),
} as const satisfies Record<Exclude<Compression, 'none'>, Buffer>;

/** The file that the engine opens: for compressed CSV, a copy with a line feed at the end. */
export async function withLineFeed(source: SourceFile, copy: string): Promise<SourceFile> {
  const { form, compression } = source;
  if (form.format !== 'csv' || compression === 'none') return source;
  await copyFile(source.path, copy);
  // The copy inherits the mode of the file, which may be read-only.
  await chmod(copy, 0o600);
  await appendFile(copy, LINE_FEED[compression]);
  return { ...source, path: copy };
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
