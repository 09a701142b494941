/** A file of transactions: what it is made of, told from its first bytes. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { ImportRefused } from './import-refused.ts';
import { KNOWN_COLUMNS } from './known-columns.ts';

export type Compression = 'none' | 'gzip' | 'zstd';

export type FileForm =
  | { readonly format: 'csv'; readonly delimiter: ',' | ';'; readonly columns: readonly string[] }
  | { readonly format: 'ndjson' }
  | { readonly format: 'parquet' };

export interface SourceFile {
  /** The name by which the operator knows it. */
  readonly name: string;
  /** Where the engine finds it. */
  readonly path: string;
  readonly bytes: number;
  readonly compression: Compression;
  readonly form: FileForm;
}

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const PARQUET = Buffer.from('PAR1');
const BYTE_ORDER_MARK = '\uFEFF';

/** As much of a file as its header may take. */
const HEAD_BYTES = 65_536;

export async function sourceFile(path: string, name: string): Promise<SourceFile> {
  const { size } = await stat(path).catch((cause: unknown) => {
    throw new ImportRefused(`${name}: cannot be read. ${messageOf(cause)}`, { cause });
  });
  const compression = compressionOf(await headOf(name, createReadStream(path, { end: 3 })));
  const head = await headOf(name, contentOf({ path, compression }));
  if (head.length === 0) {
    throw new ImportRefused(
      `${name}: is empty. A file begins with a header that names its columns.`,
    );
  }
  return { name, path, bytes: size, compression, form: formOf(name, head) };
}

/** The bytes of a file, decompressed. */
export function contentOf({
  path,
  compression,
}: Pick<SourceFile, 'path' | 'compression'>): Readable {
  const file = createReadStream(path);
  if (compression === 'none') return file;
  const unpack = compression === 'gzip' ? createGunzip() : createZstdDecompress();
  file.on('error', (error) => unpack.destroy(error));
  return file.pipe(unpack);
}

async function headOf(name: string, content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= HEAD_BYTES) break;
    }
  } catch (cause) {
    throw new ImportRefused(`${name}: cannot be read. ${messageOf(cause)}`, { cause });
  }
  return Buffer.concat(chunks);
}

function compressionOf(head: Buffer): Compression {
  if (head.subarray(0, 2).equals(GZIP)) return 'gzip';
  return head.equals(ZSTD) ? 'zstd' : 'none';
}

function formOf(name: string, head: Buffer): FileForm {
  if (head.subarray(0, 4).equals(PARQUET)) return { format: 'parquet' };
  const text = head.toString().replace(BYTE_ORDER_MARK, '');
  if (text.trimStart().startsWith('{')) return { format: 'ndjson' };
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  if (header.length >= HEAD_BYTES) {
    throw new ImportRefused(`${name}: its first line is no header, it is longer than 64 KiB.`);
  }
  const [comma, semicolon] = [',', ';'].map((delimiter) => cellsOf(header, delimiter));
  return known(semicolon) > known(comma)
    ? { format: 'csv', delimiter: ';', columns: semicolon ?? [] }
    : { format: 'csv', delimiter: ',', columns: comma ?? [] };
}

function cellsOf(line: string, delimiter: string): readonly string[] {
  const records: string[][] = parse(line, {
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
  });
  return (records[0] ?? []).map((cell) => cell.trim());
}

const known = (cells: readonly string[] | undefined): number =>
  (cells ?? []).filter((cell) => KNOWN_COLUMNS.includes(cell)).length;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
