/** The built files of the explorer, held in memory, each compressed when it is first wanted so. */

import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Coding } from '../negotiation/content-coding.ts';

export interface ExplorerFile {
  /** Below the page, such as `assets/index-1a2b3c4d.js`. */
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly compressed: Map<Coding, Promise<Buffer>>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The smallest first, as a file is compressed once and sent often. */
export const EXPLORER_CODINGS = ['br', 'gzip', 'identity'] as const satisfies readonly Coding[];

/** None where nothing was built. */
export function explorerFiles(directory: URL): readonly ExplorerFile[] {
  return namesIn(directory)
    .filter((path) => Object.hasOwn(MEDIA_TYPES, extname(path)))
    .map((path) => ({
      path,
      mediaType: MEDIA_TYPES[extname(path)] ?? '',
      bytes: readFileSync(new URL(path, directory)),
      compressed: new Map(),
    }));
}

function namesIn(directory: URL): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((path) =>
      path.replaceAll('\\', '/'),
    );
  } catch {
    return [];
  }
}

export async function inCoding(file: ExplorerFile, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return file.bytes;
  const known = file.compressed.get(coding) ?? compress(file.bytes, coding);
  file.compressed.set(coding, known);
  return await known;
}

const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const compress = async (bytes: Buffer, coding: Coding): Promise<Buffer> =>
  coding === 'br'
    ? await promisify(brotliCompress)(bytes, QUALITY)
    : await promisify(gzip)(bytes, { level: 9 });
