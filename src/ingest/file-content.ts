/** The content of a file: its bytes decompressed, and its lines. */

import { createReadStream } from 'node:fs';
import { pipeline as connect, type Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { ImportRefused } from './import-refused.ts';
import type { SourceFile } from './source-file.ts';

/** The bytes of a file, decompressed; whoever reads them gets every error of the way. */
export function contentOf({
  path,
  compression,
}: Pick<SourceFile, 'path' | 'compression'>): Readable {
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
 * ImportRefused where the file cannot be read to its end.
 */
export async function* linesOf(source: SourceFile): AsyncGenerator<string> {
  const content = contentOf(source).setEncoding('latin1');
  let rest = '';
  try {
    for await (const chunk of content as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (cause) {
    throw unreadable(source.name, cause);
  }
  if (rest !== '') yield rest;
}

/** What to say of a file that fails in the middle. */
export function unreadable(name: string, cause: unknown): ImportRefused {
  const message = cause instanceof Error ? cause.message : '';
  return new ImportRefused(`${name}: cannot be read to its end: ${message}.`, { cause });
}
