/**
 * Finds a quote that is left open at the end of a CSV file: the engine takes such a cell for whole.
 *
 * The end of a plain file is read. A compressed file gets one more line feed instead, as its end is
 * known only after decompressing all of it: an open quote takes the line feed into its cell, which
 * the import then refuses, and otherwise it is a blank line, which the engine skips.
 */

import { appendFile, chmod, copyFile, open } from 'node:fs/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { csvCells } from './csv-rows.ts';
import type { Compression, SourceFile } from './source-file.ts';

/** A last line that is longer cannot be checked. */
const TAIL_BYTES = 65_536;

/** Both formats may be concatenated: the content of the parts is the content of the whole. */
const LINE_FEED = {
  gzip: gzipSync('\n'),
  zstd: zstdCompressSync('\n'),
} as const satisfies Record<Exclude<Compression, 'none'>, Buffer>;

/** The file for the engine to open: for compressed CSV, a copy with a line feed after its content. */
export async function withLineFeed(source: SourceFile, copy: string): Promise<SourceFile> {
  const { form, compression } = source;
  if (form.format !== 'csv' || compression === 'none') return source;
  await copyFile(source.path, copy);
  // The copy has the mode of the file, which may be read-only.
  await chmod(copy, 0o600);
  await appendFile(copy, LINE_FEED[compression]);
  return { ...source, path: copy };
}

/**
 * Whether a file that the engine accepted leaves no quote open; false if its last line is too long.
 *
 * In a compressed one the engine would have met the line feed.
 */
export async function isEndWhole({ form, compression, path, bytes }: SourceFile): Promise<boolean> {
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
