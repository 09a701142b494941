/** Built files of the explorer, kept in memory; each is compressed when it is first requested. */

import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Coding } from '../negotiation/content-coding.ts';

export interface ExplorerFile {
  /** Relative to the page, such as `assets/index-1a2b3c4d.js`. */
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

/** The coding with the smallest result first: a file is compressed once and sent often. */
export const EXPLORER_CODINGS = ['br', 'gzip', 'identity'] as const satisfies readonly Coding[];

/** This relative path is right both from the sources and from the compiled modules. */
const BUILT = new URL('../../../dist/explorer/', import.meta.url);

/** The path of the script of `/docs`, relative to the page; undefined if it was not built. */
export const documentationScript = (directory = BUILT): string | undefined =>
  pathsIn(directory).find((path) => /^assets\/docs-[\w-]+\.js$/.test(path));

/** Empty if the explorer was not built. */
export function explorerFiles(directory = BUILT): readonly ExplorerFile[] {
  return pathsIn(directory)
    .filter((path) => Object.hasOwn(MEDIA_TYPES, extname(path)))
    .map((path) => ({
      path,
      mediaType: MEDIA_TYPES[extname(path)] ?? '',
      bytes: readFileSync(new URL(path, directory)),
      compressed: new Map(),
    }));
}

function pathsIn(directory: URL): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((path) =>
      path.replaceAll('\\', '/'),
    );
  } catch {
    return [];
  }
}

export async function encoded(file: ExplorerFile, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return file.bytes;
  const compressed = file.compressed.get(coding) ?? compress(file.bytes, coding);
  file.compressed.set(coding, compressed);
  return await compressed;
}

const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const compress = async (bytes: Buffer, coding: Coding): Promise<Buffer> =>
  coding === 'br'
    ? await promisify(brotliCompress)(bytes, QUALITY)
    : await promisify(gzip)(bytes, { level: 9 });
