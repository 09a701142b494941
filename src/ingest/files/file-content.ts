/** The content of a file: its bytes decompressed, and its lines. */

import { createReadStream } from 'node:fs';
import { pipeline as connect, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { ImportRefused } from '../import-refused.ts';
import type { SourceFile } from './source-file.ts';

/** Bytes; a line is kept as a whole, so a file without line ends would have to fit into the memory. */
const LONGEST_LINE = 64 * 1024 * 1024;

type Content = Pick<SourceFile, 'name' | 'path' | 'compression'>;

/** The bytes of a file, decompressed; whoever reads them gets every error of the way. */
export function contentOf({ path, compression }: Omit<Content, 'name'>): Readable {
  const file = createReadStream(path);
  if (compression === 'none') return file;
  const unpack = compression === 'gzip' ? createGunzip() : createZstdDecompress();
  connect(file, unpack, () => undefined);
  return unpack;
}

/**
 * The lines of a file as Latin-1 text, each character a byte, so that invalid UTF-8 stays what it is.
 *
 * They end at line feeds, which are not part of them; a carriage return before one is. Throws an
 * ImportRefused where the file cannot be read to its end, or a line is too long to be one.
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
 * Compressed text gets a line feed at the end, so that a quote left open there is seen (file-end.ts).
 */
export const namedContentOf = (source: Content): Readable =>
  Readable.from(withLineFeed(source), { objectMode: false });

async function* withLineFeed(source: Content): AsyncGenerator<Buffer> {
  yield* blocksOf(source);
  if (source.compression !== 'none') yield Buffer.from('\n');
}

async function* blocksOf(source: Content): AsyncGenerator<Buffer> {
  try {
    yield* contentOf(source);
  } catch (cause) {
    throw unreadable(source.name, cause);
  }
}

const endless = (name: string): ImportRefused =>
  new ImportRefused(
    `${name}: has a line of more than ${LONGEST_LINE / 1024 ** 2} MiB. Each row is a line of its own.`,
  );

/** What to say of a file that fails in the middle. */
export function unreadable(name: string, cause: unknown): ImportRefused {
  const message = cause instanceof Error ? cause.message : '';
  return new ImportRefused(`${name}: cannot be read to its end: ${message}.`, { cause });
}
