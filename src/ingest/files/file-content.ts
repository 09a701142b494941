/** Reads the content of a file: its decompressed bytes, or its lines. */

import { createReadStream } from 'node:fs';
import { pipeline as connect, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { saysFullDisk } from '../full-disk.ts';
import { ImportRefused } from '../import-refused.ts';
import type { SourceFile } from './source-file.ts';

/** Bytes. A line is held in memory, so a file without line ends must be refused. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** By default, whatever follows a damaged boundary between two frames is left out. */
const ZSTD_OPTIONS = { rejectGarbageAfterEnd: true } as const;

type Content = Pick<SourceFile, 'name' | 'path' | 'compression'>;

/** The decompressed bytes of a file. Errors of reading and of decompressing fail the returned stream. */
export function contentOf({ path, compression }: Omit<Content, 'name'>): Readable {
  const file = createReadStream(path);
  if (compression === 'none') return file;
  const unpack = compression === 'gzip' ? createGunzip() : createZstdDecompress(ZSTD_OPTIONS);
  connect(file, unpack, () => undefined);
  return unpack;
}

/**
 * The lines of a file as Latin-1 text, one character per byte, so that invalid UTF-8 is preserved.
 *
 * Lines are returned without their line feed, but a carriage return before it is kept. Throws an
 * ImportRefused if the file cannot be read to its end or has a line that is too long.
 */
export async function* linesOf(source: Content): AsyncGenerator<string> {
  let rest = '';
  for await (const block of blocksOf(source)) {
    const [end = '', ...lines] = block.toString('latin1').split('\n');
    rest += end;
    if (rest.length > LONGEST_LINE) throw endless(source.name);
    if (lines.length === 0) continue;
    yield rest;
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/**
 * The content as a stream that fails with an ImportRefused if it cannot be read to its end.
 *
 * Compressed text gets a line feed at the end, to detect an open quote there (file-end.ts).
 */
export const importContentOf = (source: Content): Readable =>
  Readable.from(withLineFeed(source), { objectMode: false });

async function* withLineFeed(source: Content): AsyncGenerator<Buffer> {
  yield* blocksOf(source);
  if (source.compression !== 'none') yield Buffer.from('\n');
}

/** The decompressed bytes; throws an ImportRefused that names the file if it cannot be read. */
export async function* blocksOf(source: Content): AsyncGenerator<Buffer> {
  try {
    yield* contentOf(source);
  } catch (cause) {
    throw unreadable(source.name, cause);
  }
}

const endless = (name: string): ImportRefused =>
  new ImportRefused(
    `${name}: has a line of more than ${LONGEST_LINE / 1024 ** 2} MiB. Write one row per line.`,
  );

/** The error to throw if reading a file fails. A full disk is no fault of the file, so its error stays as it is. */
export function unreadable(name: string, cause: unknown): unknown {
  if (saysFullDisk(cause)) return cause;
  const message = cause instanceof Error ? cause.message : '';
  return new ImportRefused(`${name}: cannot be read to its end: ${message}.`, { cause });
}
